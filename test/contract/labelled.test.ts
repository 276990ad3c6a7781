import { left } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { refuse } from '#protocol/refusal.js'
import { routes } from '#protocol/routes.js'
import { buildSnapshot } from '#src/snapshot/build.js'
import { contractInputs, contractSampleFiles, contractSamples } from '#test/support/contract-world.js'
import { noTranscripts } from '#test/support/transcripts.js'
import { sourceFile } from '#test/support/world.js'
import { type BenchOptions, benchOf, benchTokens, checkRefused } from './bench.js'
import { samples } from './samples.js'

const bindingPath = 'samples/lineage/speaker-binding.jsonl'
const spanPath = 'samples/lineage/entity-span.jsonl'

type Row = 'training.samples.confirm' | 'training.samplesConfirmations.add' | 'sessions.bindings.set'

/** The sample of the row, on the binding of the store where it rules on one. */
const sampleOf = (id: Row) => {
  const sample = samples[id]
  if (sample === undefined) throw new Error(`${id} has no sample`)
  return id === 'sessions.bindings.set'
    ? { ...sample, body: { surface: 'Bogdan', referent: 'Kupiec Bogdan' } }
    : {
        ...sample,
        ...(id === 'training.samples.confirm'
          ? { body: { id: contractSamples.open, outcome: 'affirm' } }
          : {}),
      }
}

/** The contract world with another text of one file of its store. */
const worldWith = (path: keyof typeof contractSampleFiles, change: (text: string) => string) => {
  const files = { ...contractSampleFiles, [path]: change(contractSampleFiles[path]) }
  const store = Object.entries(files).map(([name, text]) => sourceFile(name, text))
  return buildSnapshot({ ...contractInputs(), samples: store }, null).snapshot
}

const withMembers = (members: string) => (text: string) => text.replace('{', `{${members},`)

const quoting = (document: string): string =>
  `"locator":${JSON.stringify({ document, source: 'x', hash: '', line: 0, start: 0, end: 3, text: 'Nie' })}`

const busy: BenchOptions = {
  node: {
    transcripts: { ...noTranscripts, ask: () => Promise.resolve(left(refuse('Overloaded', 'Too slow.'))) },
  },
}

const cases: ReadonlyArray<
  readonly [
    id: Row,
    status: number,
    error: string,
    world: () => ReturnType<typeof worldWith>,
    options?: BenchOptions,
  ]
> = [
  [
    'training.samples.confirm',
    409,
    'StoreUnreadable',
    () => worldWith(spanPath, withMembers('"note":1,"note":2')),
  ],
  [
    'sessions.bindings.set',
    409,
    'StoreUnreadable',
    () => worldWith(bindingPath, withMembers('"note":1,"note":2')),
  ],
  [
    'sessions.bindings.set',
    404,
    'SampleNotFound',
    () => worldWith(bindingPath, withMembers('"note":"Tematy zastrzeżone: pająki"')),
  ],
  [
    'sessions.bindings.set',
    409,
    'SampleStale',
    () => worldWith(bindingPath, withMembers(quoting('session/2026-05-10, Most na Zamorzu, Brzoza'))),
  ],
  [
    'sessions.bindings.set',
    503,
    'Overloaded',
    () => worldWith(bindingPath, withMembers(quoting('log/1'))),
    busy,
  ],
]

describe('rows of labelled samples that refuse', () => {
  for (const [id, status, error, world, options] of cases)
    it(`${id} is ${status} ${error}`, async () => {
      const bench = await benchOf(options)
      try {
        bench.serve(world())
        const token = benchTokens.plain('sample.confirm')
        checkRefused(
          await bench.ask({ id, row: routes[id], sample: sampleOf(id) }, [], { token }),
          status,
          error,
        )
      } finally {
        await bench.close()
      }
    })

  it('are 409 NoRepository where the host has no store', async () => {
    const bench = await benchOf()
    try {
      const inputs = contractInputs()
      bench.serve(buildSnapshot({ ...inputs, treeHeads: new Map(), samples: [] }, null).snapshot)
      for (const id of [
        'training.samples.confirm',
        'training.samplesConfirmations.add',
        'sessions.bindings.set',
      ] as const)
        checkRefused(await bench.ask({ id, row: routes[id], sample: sampleOf(id) }), 409, 'NoRepository')
    } finally {
      await bench.close()
    }
  })
})
