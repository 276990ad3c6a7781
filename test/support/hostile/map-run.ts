import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeAuthority, makeCertificate } from '#test/scenario/namespaces/certificates.js'
import { getJson, postJson, startDaemon } from '#test/support/daemon.js'
import { jsonField } from '#test/support/json-field.js'
import { mapHost, publicAddress, startMapServer } from './map-server.js'

/**
 * The program of `test/process/map-dimensions.test.ts`, run in a network of its own: serves pictures at an address that
 * looks public, starts the built daemon on a repository beside them, sends each line of `requests.json` as a body
 * of `POST /maps/dimensions`, and writes what came to `answers.json`.
 */
const [, , folder = ''] = process.argv

const authority = makeAuthority(folder)
const { certificate, key } = makeCertificate(folder, authority, mapHost)
const tls = { key: readFileSync(key), cert: readFileSync(certificate) }
const server = await startMapServer(tls, publicAddress.address, 443)
const inside = await startMapServer(tls, '127.0.0.1', 443)
const daemon = await startDaemon(['serve', '--repo', join(folder, 'lore')], {
  NODE_EXTRA_CA_CERTS: authority.certificate,
})

/** The 99th percentile of the pauses since the last call, in milliseconds. */
const readLagMs = async (): Promise<number> => {
  const metrics = await (await fetch(`${daemon.ready.ops}/metrics`)).text()
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(metrics)?.[1]) * 1000
}
const readMemoryMb = async (): Promise<unknown> =>
  jsonField(jsonField((await getJson(daemon, '/health')).body, 'memory'), 'workingSetMb')

const requests: unknown = JSON.parse(readFileSync(join(folder, 'requests.json'), 'utf8'))
const answers: Array<object> = []
for (const body of Array.isArray(requests) ? requests : []) {
  const beforeMb = await readMemoryMb()
  await readLagMs()
  const { status, body: answer } = await postJson(daemon, '/maps/dimensions', body)
  answers.push({ status, answer, lagMs: await readLagMs(), beforeMb, afterMb: await readMemoryMb() })
}
const journal = (await getJson(daemon, '/events/journal?limit=1000')).body
writeFileSync(join(folder, 'answers.json'), JSON.stringify({ answers, journal, loopback: inside.asked }))
await daemon.stop()
await server.close()
await inside.close()
