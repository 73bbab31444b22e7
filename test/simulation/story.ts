import type { Scenario } from './scenario';
import type { Outcome } from './simulate';

/** The events, in words: enough to see the cause without a debugger. */
export function storyOf({ scenario, violation, lines }: Outcome): string {
  return [
    `Seed ${scenario.seed}: ${violation ? violation.message : 'every promise held'}`,
    settingOf(scenario),
    ...lines.map(({ at, text }) => `${(at / 1_000).toFixed(3).padStart(10)} s  ${text}`),
  ].join('\n');
}

function settingOf(scenario: Scenario): string {
  const { windows, files, services, batchSize, concurrency, budget, carries, corrupt } = scenario;
  return [
    `${counted(windows, 'window')} index ${counted(files, 'file')} as ${carries}`,
    `batches of ${batchSize}, ${concurrency} at once`,
    ...(scenario.workspaces > 1 ? ['two workspaces of the same paths'] : []),
    ...(services > 1 ? [`${services} services`] : []),
    ...(corrupt.length > 0 ? [`${counted(new Set(corrupt).size, 'corrupt file')}`] : []),
    ...scenario.others.map((other) =>
      other.kind === 'terminal'
        ? `a terminal with ${other.maxCents} cents`
        : `a server of “${other.client}” with ${other.maxCents} cents and ${counted(other.calls.length, 'call')}`,
    ),
    ...(budget ? [`a budget of ${budget.cents} cents for a ${budget.of}`] : []),
  ].join('; ');
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
