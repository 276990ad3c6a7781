import { deepEqual, equal, ok } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contractInputs } from '#test/support/contract-world.js'
import { eventually } from '#test/support/daemon.js'
import {
  questionFor,
  type ReaderRig,
  type ReaderRigOptions,
  readerRig,
} from '#test/support/readers/reader-rig.js'
import { faultyReaders } from '#test/support/readers/reader-threads.js'
import { inputsOf } from '#test/support/world.js'

const entity = { path: { name: 'Kupiec Bogdan' } } as const

describe('the exchange with the reader threads', () => {
  let rig: ReaderRig | null = null
  const start = async (options: Partial<ReaderRigOptions> = {}): Promise<ReaderRig> => {
    rig = readerRig({ open: faultyReaders, limits: { answerMs: 500 }, ...options })
    rig.publish(contractInputs())
    await rig.live(options.threads ?? 1)
    return rig
  }
  afterEach(async () => {
    await rig?.close()
    rig = null
  })

  const ask = async (on: ReaderRig, rowId: string, given: Parameters<typeof questionFor>[2] = {}) => {
    const snapshot = on.snapshot()
    if (snapshot === null) throw new Error('no snapshot')
    return on.exchange.ask(questionFor(snapshot, rowId, given))
  }

  it('answers with transferred bytes and names what they were made of', async () => {
    const on = await start()
    const answer = await ask(on, 'entities.get', entity)
    ok(answer._tag === 'Answered' && answer.bytes.toString('utf8').includes('Handluje solą.'))
    deepEqual([answer.from.generation, answer.from.inputs], [1, on.snapshot()?.inputs])
    equal(answer.bytes.byteOffset, 0)
    equal(answer.bytes.buffer.byteLength, answer.bytes.length)
  })

  it('hands on refusals and throws of a handler, and no thread ends', async () => {
    const on = await start()
    const refused = await ask(on, 'entities.get', { path: { name: 'Nikt' } })
    equal(refused._tag === 'Refused' && refused.refusal._tag, 'EntityNotFound')
    const threw = await ask(on, 'faulty', { path: { how: 'threw' } })
    equal(threw._tag === 'Threw' && threw.message, 'the handler threw')
    deepEqual([on.ends, on.exchange.live()], [[], 1])
  })

  it('sends home who asks while no thread has a snapshot, and what cannot be cloned', async () => {
    rig = readerRig({ open: faultyReaders })
    const snapshot = rig.publish(contractInputs())
    equal((await rig.exchange.ask(questionFor(snapshot, 'entities.get', entity)))._tag, 'Home')
    await rig.live(1)
    equal((await ask(rig, 'entities.get', { ...entity, query: { bad: () => undefined } }))._tag, 'Home')
    equal((await ask(rig, 'entities.get', entity))._tag, 'Answered')
  })

  /** Running out of memory takes longer than this test's time limit for an answer. */
  const slowly = (how: string): Partial<ReaderRigOptions> =>
    how === 'eats' ? { limits: { answerMs: 20_000 } } : {}

  for (const [how, cause] of [
    ['throws', 'error'],
    ['rejects', 'error'],
    ['exits', 'exit'],
    ['loops', 'told'],
    ['eats', 'memory'],
  ] as const) {
    it(`answers who met a thread that ${how} once, by the next thread`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'kronika-reader-'))
      try {
        const on = await start(slowly(how))
        const path = { how, flag: join(folder, 'once') }
        const [hurt, other] = await Promise.all([
          ask(on, 'faulty', { path }),
          ask(on, 'entities.get', entity),
        ])
        equal(hurt._tag === 'Answered' && hurt.bytes.toString('utf8'), '{"done":true}')
        ok(['Answered', 'Home', 'Overloaded'].includes(other._tag), other._tag)
        deepEqual(on.ends, [cause])
      } finally {
        rmSync(folder, { recursive: true })
      }
    })

    it(`sets aside a question by which every thread ${how}, and replaces the threads`, async () => {
      const on = await start({ threads: 2, ...slowly(how) })
      const poison = { path: { how }, shared: true }
      equal((await ask(on, 'faulty', poison))._tag, 'Poison')
      deepEqual(on.ends, [cause, cause])
      await on.live(2)
      equal((await ask(on, 'faulty', poison))._tag, 'Poison')
      equal((await ask(on, 'entities.get', entity))._tag, 'Answered')
      deepEqual(on.ends, [cause, cause])
    })
  }

  it('shares one answer among all who ask the same at once', async () => {
    const on = await start()
    const [one, two] = await Promise.all([ask(on, 'entities.list'), ask(on, 'entities.list')])
    equal(one, two)
  })

  it('refuses when the queue is full', async () => {
    const on = await start({ limits: { waitingMax: 2, answerMs: 500 } })
    const asked = Array.from({ length: 6 }, () => ask(on, 'entities.list', { shared: false }))
    const tags = (await Promise.all(asked)).map(answer => answer._tag)
    deepEqual(
      [tags.filter(tag => tag === 'Answered').length, tags.filter(tag => tag === 'Overloaded').length],
      [3, 3],
    )
  })

  it('follows every change, and never answers from before the question', async () => {
    const on = await start({ threads: 2 })
    const files: Record<string, string> = { '.svc/format.json': '{"format": 2}' }
    let inputs = inputsOf(files)
    const asked: Array<Promise<boolean>> = []
    for (let round = 1; round <= 120; round += 1) {
      files['encje/byt.md'] = `### Byt\n- @typ: NPC\n- @info: zapis ${round}\n`
      files[`encje/inny-${round % 7}.md`] = `### Inny ${round}\n- @typ: NPC\n`
      if (round % 11 === 0) delete files['encje/inny-3.md']
      inputs = inputsOf(files, {}, inputs)
      const snapshot = on.publish(inputs)
      asked.push(
        on.exchange.ask(questionFor(snapshot, 'entities.get', { path: { name: 'Byt' } })).then(answer => {
          if (answer._tag === 'Home') return false
          ok(answer._tag === 'Answered', answer._tag)
          ok(answer.from.generation >= snapshot.generation)
          return true
        }),
      )
      if (round % 3 === 0) await new Promise(resolve => setTimeout(resolve, 2))
    }
    const answered = (await Promise.all(asked)).filter(Boolean).length
    ok(answered > 60, `the threads answered ${answered} of 120`)
    const last = await eventually(
      () => ask(on, 'entities.get', { path: { name: 'Byt' } }),
      answer => answer._tag === 'Answered',
    )
    ok(last._tag === 'Answered' && last.bytes.toString('utf8').includes('zapis 120'))
    equal(last.from.inputs, inputs.id)
  })
})
