import { gzipSync } from 'node:zlib'
import * as t from 'io-ts'
import restify from 'restify'
import { read } from '#protocol/route.js'
import { answerWith, testFront } from '#test/support/front.js'

/** The other process of the bench: a bare restify server and the front, answering the same bytes. Prints their ports. */

const small = { name: 'Kupiec Orrin', type: 'NPC', tags: { info: 'x'.repeat(240) } }
const big = {
  items: Array.from({ length: 1500 }, (_, at) => ({
    name: `Byt ${at}`,
    info: `zapis ${at * 7919}`.repeat(4),
  })),
}

const row = { summary: '', capability: 'entity.read', query: {}, refusals: [], source: '' } as const
const table = {
  small: read({ ...row, path: '/entities/{name}', answers: { 200: t.UnknownRecord } }),
  big: read({ ...row, path: '/entities', answers: { 200: t.UnknownRecord } }),
} as const

const smallBytes = Buffer.from(JSON.stringify(small))
const bigZipped = gzipSync(JSON.stringify(big))

const bare = restify.createServer({ name: '' })
const json = 'application/json; charset=utf-8'
bare.get('/v1/api/entities/:name', (_req, res, next) => {
  res.writeHead(200, { 'Content-Type': json, 'Content-Length': smallBytes.length })
  res.end(smallBytes)
  next()
})
bare.get('/v1/api/entities', (_req, res, next) => {
  res.writeHead(200, { 'Content-Type': json, 'Content-Encoding': 'gzip', 'Content-Length': bigZipped.length })
  res.end(bigZipped)
  next()
})

const { front } = await testFront({ table, handlers: { small: answerWith(small), big: answerWith(big) } })
bare.listen(0, '127.0.0.1', () => process.send?.({ bare: bare.address().port, front: front.apiPort }))

/** Microseconds of processor time so far: on a shared machine a steadier measure than the clock. */
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMicros: user + system })
})
