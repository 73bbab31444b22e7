import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { contextKeys, type ScopesRow } from '../../contributions';
import type { Dataset } from '../../domain/dataset';
import type { IndexingJob, InterruptedIndexingJob } from '../../indexing/indexingJobs';
import { offerInterrupted } from '../../platform/interruptedJobs';
import type { DatasetFilter } from '../../platform/pickers/chooseDataset';
import type { Services } from '../../services';
import { executeBuiltIn, registerCommands } from '../../vscode/commands';
import { watchImageFolders } from './imageFolders';
import { watchOtherMedia } from './otherMedia';

/** Indexing files into scopes: the command, its jobs, and later actions on their files. */
export function registerIndexing(services: Services): vscode.Disposable {
  const { log, jobs } = services;
  // The code of commands is loaded when one is run: a window's start does not need it.
  const jobCommands = () => import('./jobProgress');
  const datasetCommands = () => import('./datasetCommands');
  const onJob = (run: (job: IndexingJob) => unknown) => async (row?: ScopesRow) => {
    const job = await (await jobCommands()).jobOf(services, row);
    if (job) await run(job);
  };
  const resuming = () => import('./resume');
  /** Without a row, which VS Code loses where its list is renewed under the menu: the only one, where none runs here. */
  const interruptedOf = (row?: ScopesRow) => {
    const { interrupted, running } = jobs;
    if (row) return interrupted.find(({ head }) => head.id === row.job?.head.id);
    return running.length === 0 && interrupted.length === 1 ? interrupted[0] : undefined;
  };
  /** The row may be that of an interrupted job, which no window works on. */
  const onInterrupted =
    (run: (job: InterruptedIndexingJob) => unknown, otherwise: (row?: ScopesRow) => unknown) =>
    (row?: ScopesRow) => {
      const job = interruptedOf(row);
      return job ? run(job) : otherwise(row);
    };
  const onDataset =
    (run: (dataset: Dataset, row?: ScopesRow) => unknown, filter?: () => DatasetFilter) =>
    async (row?: ScopesRow) => {
      const { chooseIndexedDataset } = await import('../../platform/pickers/chooseDataset');
      const dataset = row ? row.dataset : await chooseIndexedDataset(services, filter?.());
      if (dataset) await run(dataset, row);
    };
  const noteJobs = () => {
    void executeBuiltIn('setContext', contextKeys.indexing, jobs.running.length > 0);
    void executeBuiltIn('setContext', contextKeys.interruptedJob, jobs.interrupted.length > 0);
  };
  noteJobs();
  return vscode.Disposable.from(
    registerCommands(log, {
      'modelBench.indexMedia': async (...[target, selected, into]) => {
        const { indexFiles } = await import('./indexMedia');
        // A row of the catalog names the model alone.
        if (target && 'model' in target) await indexFiles(services, [], { model: target.model.slug });
        else await indexFiles(services, [target, selected], into);
      },
      'modelBench.pauseJob': onJob((job) => job.pause()),
      'modelBench.resumeJob': onInterrupted(
        async (job) => (await resuming()).resumeInterrupted(services, job),
        onJob(async (job) => (await jobCommands()).resumeJob(services, job)),
      ),
      'modelBench.cancelJob': onInterrupted(
        async (job) => (await resuming()).askDiscardInterrupted(services, job),
        onJob(async (job) => (await jobCommands()).cancelIndexing(job)),
      ),
      'modelBench.indexChanges': onDataset(async (dataset, row) =>
        (await datasetCommands()).indexChanges(services, dataset, row?.path),
      ),
      'modelBench.retryFailed': onDataset(
        async (dataset) => (await datasetCommands()).retryFailed(services, dataset),
        () => ({
          fits: ({ counts }) => counts.failed > 0,
          none: l10n.t('No scope has files that failed.'),
        }),
      ),
      'modelBench.settleUnknown': onDataset(
        async (dataset) => (await datasetCommands()).resolveUnconfirmed(services, dataset),
        () => ({
          fits: ({ counts }) => counts.unknown > 0,
          none: l10n.t('No scope has unconfirmed files.'),
        }),
      ),
    }),
    watchOtherMedia(services),
    watchImageFolders(services),
    offerInterruptedJobs(services),
    jobs.onDidChangeList(noteJobs),
  );
}

/** The version of the store in which no job was interrupted. */
const NONE_INTERRUPTED = 'indexing.noneInterrupted';

export function offerInterruptedJobs(services: Services): vscode.Disposable {
  const { jobs } = services;
  return offerInterrupted(services, NONE_INTERRUPTED, async () => {
    const { offerResume } = await import('./resume');
    return {
      look: async () => ({ held: await jobs.lookForInterrupted(), interrupted: jobs.interrupted }),
      offer: (job) => offerResume(services, job),
    };
  });
}
