import * as l10n from '@vscode/l10n';
import { type ModelContract, modeOf } from '../domain/model';
import { childPointer, parentPointer, segmentsOf } from '../domain/pointer';
import { isObject } from '../domain/value';
import { knownNamesAt } from './complete';
import { modeNameIn, problemsIn, type ReadRunFile, type RunFileProblem } from './read';

/**
 * The parts of a contract that a file used when it last ran. A later contract is compared with this, so that only
 * changes that touch the file are reported.
 */
export interface ContractUse {
  /** Pointers of the members of input and parameters that the contract knew: "/input/text". */
  readonly known: readonly string[];
  /** Pointers that had a problem then (it was run without validation): they are no news. */
  readonly problems: readonly string[];
}

export function contractUse(file: ReadRunFile, contract: ModelContract): ContractUse {
  return {
    known: knownPointers(file, contract),
    problems: modelProblems(file, contract).map(({ pointer }) => pointer),
  };
}

/**
 * Values of an earlier run of a file that a contract no longer allows: found by the form's validator, and members
 * that the model no longer knows where its schema lets anything pass.
 *
 * @param before the parts that the file used when it last ran
 */
export function contractChanges(
  file: ReadRunFile,
  before: ContractUse,
  contract: ModelContract,
): RunFileProblem[] {
  const now = modelProblems(file, contract).filter(({ pointer }) => !before.problems.includes(pointer));
  const broken = now.map(
    (one): RunFileProblem => ({
      ...one,
      source: 'changed',
      message: l10n.t('{0} The model has changed since this file last ran.', one.message),
    }),
  );
  const hasMode = modeOf(contract, modeNameIn(file)) !== undefined;
  return hasMode ? [...broken, ...goneMembers(file, before, contract, broken)] : broken;
}

function modelProblems(file: ReadRunFile, contract: ModelContract): RunFileProblem[] {
  return problemsIn(file, contract).filter(({ source }) => source === 'model');
}

function goneMembers(
  file: ReadRunFile,
  { known }: ContractUse,
  contract: ModelContract,
  reported: readonly RunFileProblem[],
): RunFileProblem[] {
  const used = new Set(requestPointers(file));
  const stillKnown = new Set(knownPointers(file, contract));
  const gone = known.filter((pointer) => used.has(pointer) && !stillKnown.has(pointer));
  const places = [...gone, ...reported.map(({ pointer }) => pointer)];
  return (
    gone
      // Of an object that is gone, its members are not reported again.
      .filter((pointer) => !places.some((other) => other !== pointer && pointer.startsWith(`${other}/`)))
      .filter((pointer) => !reported.some((one) => one.pointer === pointer))
      .map((pointer) => ({
        source: 'changed',
        severity: 'warning',
        onName: true,
        pointer,
        message: l10n.t(
          '{0} no longer has “{1}”. The model has changed since this file last ran.',
          contract.name,
          segmentsOf(pointer).at(-1)!,
        ),
      }))
  );
}

function knownPointers(file: ReadRunFile, contract: ModelContract): string[] {
  const names = new Map<string, readonly string[]>();
  const namesIn = (parent: string) => {
    const known = names.get(parent) ?? knownNamesAt(file, parent, contract);
    names.set(parent, known);
    return known;
  };
  return requestPointers(file).filter((pointer) =>
    namesIn(parentPointer(pointer)).includes(segmentsOf(pointer).at(-1)!),
  );
}

/** Pointers of all members of objects in input and parameters, not of items of lists. */
function requestPointers({ members }: ReadRunFile): string[] {
  return [...below(members?.input, '/input'), ...below(members?.params, '/params')];
}

function below(value: unknown, pointer: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const at = childPointer(pointer, key);
    return isObject(value) ? [at, ...below(item, at)] : below(item, at);
  });
}
