/** The ending of an experiment's name. Separate from its format: names are checked before that is loaded. */
export const EXPERIMENT_SUFFIX = '.experiment.json';
