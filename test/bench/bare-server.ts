import { readFile } from 'node:fs/promises'
import * as t from 'io-ts'
import restify from 'restify'

const Stored = t.type({ headers: t.record(t.string, t.union([t.string, t.number])), body: t.string })

/**
 * The bare twin: a restify server whose routes send bytes read from files, with the headers given, and do nothing else.
 * Arguments: pairs of a path and a JSON file `{headers, body}` (body in base64). Prints its port.
 */
const pairs = process.argv.slice(2)
const server = restify.createServer({ name: '' })

for (let at = 0; at + 1 < pairs.length; at += 2) {
  const [path = '', file = ''] = [pairs[at], pairs[at + 1]]
  const stored: unknown = JSON.parse(await readFile(file, 'utf8'))
  if (!Stored.is(stored)) throw new Error(`no stored answer: ${file}`)
  const body = Buffer.from(stored.body, 'base64')
  server.get(path, (_req, res, next) => {
    res.writeHead(200, stored.headers)
    res.end(body)
    return next(false)
  })
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${address.port}\n`)
})
