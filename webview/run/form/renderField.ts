import type { Field } from '../../../src/forms/fieldTypes';
import type { RunPage } from '../page';

/** Renders a field of any kind; passed to the fields that contain others. */
export type RenderField = (page: RunPage, field: Field) => unknown;
