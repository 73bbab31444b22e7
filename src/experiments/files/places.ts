import { basename } from 'node:path';

/** The names of the files that belong to an experiment, beside it. */
export interface ResultPlaces {
  /** Absolute path of `NAME.results.jsonl`. */
  readonly file: string;
  /** Name of the folder of large results, `NAME.results`. */
  readonly folder: string;
}

/** @param experiment absolute path of `NAME.experiment.json` */
export function resultPlaces(experiment: string): ResultPlaces {
  const file = experiment.replace(/(?:\.experiment)?\.json$/, '.results.jsonl');
  return resultFilePlaces(file === experiment ? `${experiment}.results.jsonl` : file);
}

/** @param file absolute path of a results file; shards, `NAME.results.1-of-3.jsonl`, and `NAME.results.kept-1.jsonl` share the folder */
export function resultFilePlaces(file: string): ResultPlaces {
  return {
    file,
    folder: `${basename(file).replace(/(?:\.results)?(?:\.\d+-of-\d+)?(?:\.kept-\d+)?\.jsonl$/, '')}.results`,
  };
}
