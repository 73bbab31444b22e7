/** What ends the name of an experiment. Apart from its format: names are looked at before anything of it is loaded. */
export const EXPERIMENT_SUFFIX = '.experiment.json';
