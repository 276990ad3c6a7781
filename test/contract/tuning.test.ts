import { describe, it } from 'mocha'
import { routes } from '#protocol/routes.js'
import { noTuning } from '#src/domain/samples/tuning-store.js'
import { buildSnapshot } from '#src/snapshot/build.js'
import { contractInputs } from '#test/support/contract-world.js'
import { type BenchOptions, benchOf, checkRefused } from './bench.js'
import { samples } from './samples.js'

const unread: BenchOptions = { node: { readTuning: () => Promise.resolve(null) } }

type Row = Extract<keyof typeof routes, `training.${string}`>

/** What a row is refused with, by its body and by the parts of its bench. */
const refused: ReadonlyArray<
  readonly [id: Row, status: number, error: string, body?: unknown, options?: BenchOptions]
> = [
  ['training.finetuneSamples.list', 503, 'Overloaded', undefined, unread],
  ['training.finetuneSamples.confirm', 503, 'Overloaded', undefined, unread],
  [
    'training.finetuneSamples.confirm',
    422,
    'ValueRefused',
    { id: 'demo/api-agent/nikt', outcome: 'correct', content: '{"calls": [], "why": "Nie ma go."}' },
  ],
  ['training.finetuneSamples.confirm', 400, 'BodyInvalid', { id: 'demo/api-agent/wit', outcome: 'correct' }],
  ['training.finetuneSamplesConfirmations.add', 400, 'BodyInvalid', { items: [] }],
]

describe('rows of fine-tuning samples that refuse', () => {
  for (const [id, status, error, body, options] of refused)
    it(`${id} is ${status} ${error}`, async () => {
      const bench = await benchOf(options)
      const sample = samples[id]
      if (sample === undefined) throw new Error(`${id} has no sample`)
      try {
        const subject = { id, row: routes[id], sample: body === undefined ? sample : { ...sample, body } }
        checkRefused(await bench.ask(subject), status, error)
      } finally {
        await bench.close()
      }
    })

  it('are 409 NoRepository for a ruling where the store is not read', async () => {
    const bench = await benchOf()
    try {
      bench.serve(buildSnapshot({ ...contractInputs(), tuning: noTuning('StoreUnreadable') }, null).snapshot)
      for (const id of [
        'training.finetuneSamples.confirm',
        'training.finetuneSamplesConfirmations.add',
      ] as const) {
        const sample = samples[id]
        if (sample === undefined) throw new Error(`${id} has no sample`)
        checkRefused(await bench.ask({ id, row: routes[id], sample }), 409, 'NoRepository')
      }
    } finally {
      await bench.close()
    }
  })
})
