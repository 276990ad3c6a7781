import { existsSync, writeFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { read, type Table } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import { handlers } from '#src/http/handlers/all.js'
import type { AnyHandler } from '#src/http/routing/handler.js'
import { serveReader } from '#src/node/readers/serve-reader.js'

const row = read({
  path: '/faulty/{how}',
  summary: 'Ends its thread.',
  capability: null,
  query: {},
  answers: { 200: t.unknown },
  refusals: [],
  source: 'a test',
})

const never = (): Promise<never> => new Promise(() => undefined)

const loop = (): never => {
  for (;;);
}

const eat = (): never => {
  const kept: Array<unknown> = []
  for (;;) kept.push(Array.from({ length: 100_000 }, (_, at) => ({ at })))
}

/** Every way in which a thread can end while it answers. */
const endings: Readonly<Record<string, () => unknown>> = {
  throws: () => {
    setImmediate(() => {
      throw new Error('nobody catches this')
    })
    return never()
  },
  rejects: () => {
    void Promise.reject(new Error('nobody handles this'))
    return never()
  },
  exits: () => process.exit(3),
  loops: loop,
  eats: eat,
}

const answer = right({ body: { done: true } })

/** `path.how` is the ending; with `path.flag` it happens only the first time, until that file exists. */
const faulty: AnyHandler = async ({ path }) => {
  const { how = '', flag = '' } = path
  if (how === 'threw') throw new Error('the handler threw')
  if (flag !== '' && existsSync(flag)) return answer
  if (flag !== '') writeFileSync(flag, 'once')
  await endings[how]?.()
  return answer
}

const table: Table = { ...routes, faulty: row }

if (parentPort === null) throw new Error('this file is the entry of a thread')
serveReader(parentPort, table, { ...handlers, faulty })
