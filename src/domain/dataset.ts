/** A model's data in a scope of one service. */
export interface Dataset {
  readonly baseUrl: string;
  readonly model: string;
  readonly scope: string;
}

/** The key by which two datasets are compared. */
export function datasetKey({ baseUrl, model, scope }: Dataset): string {
  return JSON.stringify([baseUrl, model, scope]);
}
