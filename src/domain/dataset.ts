/** A model's data in a scope of one service. */
export interface Dataset {
  readonly baseUrl: string;
  readonly model: string;
  readonly scope: string;
}

/** What two datasets are compared by. */
export function datasetKey({ baseUrl, model, scope }: Dataset): string {
  return JSON.stringify([baseUrl, model, scope]);
}
