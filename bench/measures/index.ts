import type { Measure } from '../measure';
import { activation } from './activation';
import { catalog } from './catalog';
import { experimentFigures } from './experimentFigures';
import { experimentRuns } from './experimentRuns';
import { experimentTable } from './experimentTable';
import { form } from './form';
import { growth } from './growth';
import { hostBundle } from './hostBundle';
import { hostStall } from './hostStall';
import { indexing } from './indexing';
import { largeResponse } from './largeResponse';
import { packageSize } from './package';
import { panelOpen } from './panelOpen';
import { rateLimit } from './rateLimit';
import { runFiles } from './runFiles';
import { runPressed } from './runPressed';
import { secondPass } from './secondPass';
import { storeMeasures } from './store';
import { upload } from './upload';
import { xyPlot } from './xyPlot';

/** Every measure of `npm run bench`, in the order in which they run. */
export const measures: readonly Measure[] = [
  packageSize,
  hostBundle,
  activation,
  panelOpen,
  runPressed,
  form,
  catalog,
  largeResponse,
  runFiles,
  experimentTable,
  experimentFigures,
  xyPlot,
  ...storeMeasures,
  growth,
  secondPass,
  upload,
  rateLimit,
  hostStall,
  indexing,
  experimentRuns,
];
