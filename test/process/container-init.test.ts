import { deepEqual } from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'mocha'
import { temporaryFolder, writeFiles } from '#test/support/repository.js'

const namespace = ['-p', '-f', '--mount-proc']
const canUnshare = spawnSync('unshare', [...namespace, 'true']).status === 0

/** Leaves an orphan that ends at once, and tells when it is gone, or that it stays; ends by SIGTERM with 7. */
const daemon = `
const { spawnSync } = require('node:child_process')
const { readFileSync } = require('node:fs')
const orphan = spawnSync('sh', ['-c', 'sh -c "exit 0" >&2 & echo $!'], { encoding: 'utf8' }).stdout.trim()
process.on('SIGTERM', () => process.exit(7))
setInterval(() => {
  try { readFileSync('/proc/' + orphan + '/stat') } catch { process.stdout.write('reaped ' + (process.pid === 1) + '\\n') }
}, 20)`

describe('the script that starts a container', () => {
  before(function () {
    if (!canUnshare) this.skip()
  })

  it('takes in the orphans where it is PID 1, forwards SIGTERM and returns the exit code', async () => {
    const folder = temporaryFolder()
    writeFiles(folder.path, { '.git': '', 'dist/src/main.js': daemon })
    const script = join(folder.path, 'deploy/container/serve.sh')
    cpSync('deploy/container/serve.sh', script)
    chmodSync(script, 0o755)
    const env = { ...process.env, KRONIKA_TOWN: '', KRONIKA_PORT: '0', KRONIKA_OPS_PORT: '0' }
    const args = ['--kill-child', ...namespace, script]
    const child = spawn('unshare', args, { cwd: folder.path, env, stdio: ['ignore', 'pipe', 'inherit'] })
    const said: ReadonlyArray<unknown> = await once(child.stdout, 'data')
    const [inner] = spawnSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' }).stdout.split('\n')
    process.kill(Number(inner), 'SIGTERM')
    const ended: ReadonlyArray<unknown> = await once(child, 'exit')
    deepEqual([String(said[0]).split('\n')[0], ended[0]], ['reaped false', 7])
    folder.dispose()
  })
})
