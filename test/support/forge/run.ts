import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { forgeDouble } from './forge-double.js'

/**
 * `npm run forge-double -- --repo DIR [--port N] [--project PATH] [--checks-ms N] [--squash] [--blocked-by STATUS]`:
 * one process that is the remote of git and the forge. DIR is a bare repository, or is created as one. Prints one
 * line of JSON when it listens, and ends at SIGTERM or SIGINT. `POST /-/double` adds faults (forge-faults.ts),
 * `GET /-/double` shows the requests and the calls.
 */
const { values } = parseArgs({
  options: {
    repo: { type: 'string' },
    port: { type: 'string', default: '0' },
    project: { type: 'string', default: 'lore/kronika' },
    'checks-ms': { type: 'string', default: '0' },
    squash: { type: 'boolean', default: false },
    'blocked-by': { type: 'string' },
  },
})
if (values.repo === undefined) {
  process.stderr.write('forge-double: name the bare repository: npm run forge-double -- --repo DIR\n')
  process.exit(64)
}

const double = await forgeDouble({
  repository: resolve(values.repo),
  project: values.project,
  port: Number(values.port),
  checksMs: Number(values['checks-ms']),
  squashes: values.squash,
  blockedBy: values['blocked-by'] ?? null,
})
const { remote, apiUrl, project, token } = double
process.stdout.write(`${JSON.stringify({ remote, apiUrl, project, token, pid: process.pid })}\n`)
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void double.close().then(() => process.exit(0)))
