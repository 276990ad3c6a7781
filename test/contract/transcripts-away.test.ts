import { left } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { routes } from '#protocol/routes.js'
import { endedJob, jobsInMemory } from '#test/support/jobs.js'
import { fetchingOf } from '#test/support/log-fetching.js'
import { unkeptModels } from '#test/support/models.js'
import { noTranscripts } from '#test/support/transcripts.js'
import { type BenchOptions, benchOf, checkRefused, type Pairs } from './bench.js'
import { samples } from './samples.js'

const busy = left(refuse('Overloaded', 'Too much is asked at once.'))
const isBusy = (): Promise<typeof busy> => Promise.resolve(busy)

/** Rows that ask the index of transcripts. */
const indexed = [
  'logs.lines.list',
  'logs.speakers.list',
  'logs.archive.get',
  'logs.archiveMentions.list',
  'logs.archiveRuns.list',
  'sessions.logs.list',
  'logs.index.rebuild',
  'entities.lines.list',
  'entities.speech.list',
  'entities.scenes.list',
  'entities.hits.list',
  'entities.mentions.get',
  'entities.dossier.get',
  'hygiene.orphans.get',
  'training.samples.confirm',
  'training.samplesConfirmations.add',
] as const

/** Asks rows with their samples; each has to answer with the refusal. */
const refuseAll = async (
  node: BenchOptions['node'],
  rows: ReadonlyArray<readonly [id: keyof typeof routes, query?: Pairs, body?: unknown]>,
  [status, error]: readonly [number, RefusalOf<'Overloaded' | 'JobRunning'>['_tag']],
): Promise<void> => {
  const bench = await benchOf(node === undefined ? {} : { node })
  try {
    for (const [id, query, body] of rows) {
      const own = samples[id]
      if (own === undefined) throw new Error(`${id} has no sample`)
      const sample = body === undefined ? own : { ...own, body }
      checkRefused(await bench.ask({ id, row: routes[id], sample }, query), status, error)
    }
  } finally {
    await bench.close()
  }
}

describe('rows of transcripts where a part of the host is away', () => {
  it('refuse while the index of transcripts is too slow', () =>
    refuseAll(
      { transcripts: { ...noTranscripts, ask: isBusy, rebuild: isBusy } },
      indexed.map(id => [id]),
      [503, 'Overloaded'],
    ))

  it('refuse while the queue of jobs or of fetches is full', () =>
    refuseAll(
      {
        jobs: { ...jobsInMemory(), start: isBusy, startSingle: isBusy },
        logFetching: { ...fetchingOf({}), take: isBusy },
      },
      [
        ['logs.fetch'],
        ['logs.parse', [], { url: 'https://logi.example/9' }],
        ['sessions.logs.refresh', [], {}],
      ],
      [503, 'Overloaded'],
    ))

  it('refuse a training run while one of its surface runs', () =>
    refuseAll(
      {
        models: {
          ...unkeptModels(),
          startRun: () => Promise.resolve(left(refuse('JobRunning', 'One runs already.', { job: 'run-1' }))),
        },
      },
      [['model.runs.start']],
      [409, 'JobRunning'],
    ))

  it('refuse a refresh while a fetch runs', () =>
    refuseAll(
      { jobs: jobsInMemory([{ ...endedJob, kind: 'logs.fetch', state: 'running' }]) },
      [['sessions.logs.refresh', [['async', 'true']]]],
      [409, 'JobRunning'],
    ))
})
