import * as l10n from '@vscode/l10n';
import type { Json } from '../../domain/json';
import { addAll } from '../../domain/many';
import { childPointer } from '../../domain/pointer';
import type { Problem } from '../../domain/problems';
import { isForm } from '../../results/boxes';
import { checkProblems } from '../../runFiles/expectationProblems';
import { type ExpectedCheck, VALUE_CHECKS } from '../../runFiles/format';
import { measuredColumns } from '../gate/thresholds';
import { hitRule } from '../metrics/hits';
import type { BoxForms } from '../metrics/itemMetrics';
import { comparesBoxes, type JudgeRule, type Metric, type MetricName, mayIgnore } from '../metrics/metrics';
import { JUDGEMENT_KINDS } from '../results/judgements';
import type { Expected, ExperimentFile, JudgeEntry, MetricEntry, NamedEntry } from './format';

/** The name of a metric of the file; without its own that of its check: "matches", "maxSeconds". */
export function metricName(entry: MetricEntry): string {
  if (typeof entry === 'string') return entry;
  if ('metric' in entry) return 'k' in entry ? `${entry.metric}@${entry.k}` : entry.metric;
  if ('judge' in entry) return entry.name;
  const { at: _at, in: _in, ...members } = entry.check;
  return entry.name ?? (Object.keys(members).join(' and ') || 'check');
}

/** The metrics that an experiment asks for. */
export function metricsIn({
  metrics = [],
  expected,
}: Pick<ExperimentFile, 'metrics' | 'expected'>): Metric[] {
  return metrics.map((entry): Metric => {
    const own = metricName(entry);
    const hits = comparesExpected(entry) ? hitRule(own) : undefined;
    if (hits) return { name: own, hits };
    if (typeof entry === 'string' || 'metric' in entry) {
      const name = own as MetricName;
      const options: Partial<NamedEntry> = typeof entry === 'string' ? {} : (entry as NamedEntry);
      const { tolerance = 0, ignore, boxes } = options;
      const forms = comparesBoxes(name) ? boxForms(boxes, expected) : undefined;
      return { name, tolerance, ...(ignore && { ignore }), ...(forms && { boxes: forms }) };
    }
    if ('judge' in entry) return { name: entry.name, judge: judgeRule(entry) };
    return { name: metricName(entry), check: entry.check };
  });
}

/** The forms of boxes: as the metric says, else as a place or a column is named, "/xywh". */
function boxForms(own: NamedEntry['boxes'], expected: Expected | undefined): BoxForms {
  if (typeof own === 'string') return { result: own, expected: own };
  const at = expected && 'at' in expected ? expected.at : undefined;
  const named = [
    typeof at === 'string' ? at.slice(at.lastIndexOf('/') + 1) : undefined,
    expected && 'column' in expected ? expected.column : undefined,
  ] as const;
  return {
    result: own?.result ?? (isForm(named[0]) ? named[0] : undefined),
    expected: own?.expected ?? (isForm(named[1]) ? named[1] : undefined),
  };
}

/** How the answers of a judge are read; see `metricProblems` for entries without one way, or with several. */
export function judgeRule({ rubric, choices, pairwise }: JudgeEntry): JudgeRule {
  if (rubric) return { kind: 'rubric', ...rubric };
  if (choices) return { kind: 'choices', scores: choices };
  const { first = 'A', second = 'B', tie = 'tie', baseline = {} } = pairwise ?? {};
  return { kind: 'pairwise', first, second, tie, baseline };
}

function problemsOfJudge(entry: JudgeEntry, pointer: string): Problem[] {
  const { rubric, choices, pairwise } = entry;
  const problem = (message: string, member?: string) => [
    { pointer: member === undefined ? pointer : childPointer(pointer, member), message },
  ];
  if ([rubric, choices, pairwise].filter(Boolean).length !== 1)
    return problem(
      l10n.t('Add one of “rubric”, “choices” and “pairwise”: how the answers of the judge are read.'),
    );
  if (rubric && rubric.from >= rubric.to) return problem(l10n.t('“from” must be below “to”.'), 'rubric');
  if (choices && Object.keys(choices).length < 2)
    return problem(l10n.t('Add two or more labels with their values.'), 'choices');
  const rule = judgeRule(entry);
  if (rule.kind === 'pairwise' && new Set([rule.first, rule.second, rule.tie]).size < 3)
    return problem(l10n.t('“first”, “second” and “tie” must differ.'), 'pairwise');
  return [];
}

/** Whether values in results are compared with expected ones, instead of by people. */
export function comparesValues({ expected }: Pick<ExperimentFile, 'expected'> = {}): boolean {
  return expected !== undefined && !('judged' in expected);
}

/** Whether a metric compares results with expected values. */
export function comparesExpected(entry: MetricEntry): boolean {
  return typeof entry === 'string' || 'metric' in entry;
}

/** The members of an experiment without expected values: checks, judges and people still measure. */
export function membersWithoutExpected({
  metrics = [],
  thresholds = {},
}: Pick<ExperimentFile, 'metrics' | 'thresholds'>): Record<
  'expected' | 'metrics' | 'thresholds',
  Json | undefined
> {
  const left = metrics.filter((entry) => !comparesExpected(entry));
  const gone = metrics.filter(comparesExpected).map(metricName);
  const still = Object.entries(thresholds).filter(([name]) => !gone.includes(measuredColumns(name).metric));
  return {
    expected: undefined,
    metrics: left.length > 0 ? (left as Json) : undefined,
    thresholds: still.length > 0 ? (Object.fromEntries(still) as Json) : undefined,
  };
}

/** Problems of metrics beyond their JSON schema. */
export function metricProblems(metrics: readonly MetricEntry[]): Problem[] {
  const problems: Problem[] = [];
  const names = metrics.map(metricName);
  for (const [index, entry] of metrics.entries()) {
    const pointer = childPointer('/metrics', index);
    const report = (message: string, at = pointer) => problems.push({ pointer: at, message });
    const name = names[index]!;
    // Figures, thresholds and reports know a metric by its name.
    if (typeof entry === 'string' || 'metric' in entry) {
      const before = metrics.slice(0, index);
      if (before.some((other, at) => names[at] === name && comparesExpected(other)))
        report(l10n.t('The metric “{0}” is listed twice: keep one.', name));
      const { ignore, boxes }: Partial<NamedEntry> = typeof entry === 'string' ? {} : (entry as NamedEntry);
      if (ignore && !mayIgnore(name))
        report(l10n.t('“{0}” compares no spelling: remove “ignore”.', name), childPointer(pointer, 'ignore'));
      if (boxes && !comparesBoxes(name))
        report(l10n.t('“{0}” compares no boxes: remove “boxes”.', name), childPointer(pointer, 'boxes'));
      continue;
    }
    if (names.filter((one) => one === name).length > 1 || JUDGEMENT_KINDS.some((kind) => kind === name))
      report(l10n.t('Two metrics have the name “{0}”: give this one another "name".', name));
    addAll(
      problems,
      'judge' in entry
        ? problemsOfJudge(entry, pointer)
        : problemsOfCheck(entry.check, childPointer(pointer, 'check')),
    );
  }
  return problems;
}

function problemsOfCheck(check: ExpectedCheck, pointer: string): Problem[] {
  const { status } = check;
  const problems: Problem[] = [];
  const report = (member: string, message: string) =>
    problems.push({ pointer: childPointer(pointer, member), message });
  // Results files have the result and the state of a run, and no more of its response.
  if (check.in === 'response') report('in', l10n.t('Results have no whole responses: check the result.'));
  if (typeof status === 'number' || status === 'accepted')
    report('status', l10n.t('Results have no such status: use "finished" or "failed".'));
  const checksValue = VALUE_CHECKS.some((name) => check[name] !== undefined);
  // Without its own place it checks the compared part.
  const placed = checksValue && check.at === undefined ? { ...check, at: '' } : check;
  return [...problems, ...checkProblems(placed as Readonly<Record<string, Json>>, pointer)];
}
