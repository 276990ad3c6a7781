import { createServer, type RequestListener, type ServerResponse } from 'node:http'

/** The towns of the bench in a process of their own: one listener that acts as all of them. Sends its port. */

const manner = process.argv[2] ?? 'honest'
const chunk = Buffer.alloc(16_384, ' ')
/** A little less than a probe reads. */
const stalledBytes = 60_000

const cardOf = (town: string): string =>
  JSON.stringify({
    town,
    role: 'replica',
    nowUtc: new Date().toISOString(),
    bootUtc: '2026-01-01T00:00:00.000Z',
    bootId: town,
    uptimeSeconds: 1,
    imageDigest: '',
    schemaVersion: 2,
    syncAgeMinutes: 2,
    version: '0.5.0',
  })

const writeWithoutEnd = (res: ServerResponse): void => {
  while (!res.destroyed) if (!res.write(chunk)) return void res.once('drain', () => writeWithoutEnd(res))
}

const drip = (res: ServerResponse): void => {
  const timer = setInterval(() => res.write(' '), 100)
  res.on('close', () => clearInterval(timer))
}

/** Hostile towns: a card without an end, a card that drips, a card that stops when it is almost too large, and none. */
const hostile: ReadonlyArray<(res: ServerResponse) => void> = [
  writeWithoutEnd,
  drip,
  res => void res.write(Buffer.alloc(stalledBytes, ' ')),
  () => undefined,
]

const listener: RequestListener = (req, res) => {
  const [, town = '', number = '0'] = /^\/(town-(\d+))\//u.exec(req.url ?? '') ?? []
  const attack = hostile[Number(number) % hostile.length]
  if (manner === 'honest' || attack === undefined) res.end(cardOf(town))
  else attack(res)
}

const server = createServer(listener).listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' && address !== null ? address.port : 0 })
})
