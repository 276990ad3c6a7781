import { equal, match, ok } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { type Daemon, getJson, postJson, startDaemon } from '#test/support/daemon.js'
import { type ForgeDouble, forgeDouble } from '#test/support/forge/forge-double.js'
import { jsonField } from '#test/support/json-field.js'
import { orrin } from '#test/support/node.js'
import { openPerson, type PersonClone } from '#test/support/person.js'
import { gitIn, temporaryFolder } from '#test/support/repository.js'

const files = {
  '.svc/format.json': '{"format": 2}\n',
  '.svc/config.json': JSON.stringify({ server: { sync_interval_min: 600, publish_mode: 'push' } }),
  'encje/indeks.md': orrin,
}

/** A built daemon whose remote has a commit that its checkout lacks. */
describe('a git remote over http', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let double: ForgeDouble
  let person: PersonClone
  let redirects: Server
  let daemon: Daemon | null = null
  let redirected: ReadonlyArray<string> = []
  let published = ''
  const checkout = (): string => join(folder.path, 'host')

  beforeEach(async () => {
    folder = temporaryFolder()
    const bare = join(folder.path, 'lore.git')
    double = await forgeDouble({ repository: bare })
    person = openPerson(bare, files)
    gitIn(folder.path, 'clone', '-q', bare, checkout())
    published = person.publish({ 'Lore.md': '# Lore\n' })
    redirected = []
    redirects = createServer((request, response) => {
      redirected = [...redirected, request.url ?? '']
      response.statusCode = 302
      response.setHeader('location', `${new URL(double.remote).origin}${request.url ?? ''}`)
      response.end()
    })
    await new Promise<void>(resolve => redirects.listen(0, '127.0.0.1', resolve))
  })
  afterEach(async () => {
    await daemon?.stop()
    daemon = null
    redirects.closeAllConnections()
    await new Promise(resolve => redirects.close(resolve))
    await double.close()
    person.dispose()
    folder.dispose()
  })

  const originOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  /** Converges with this remote; returns the status, and the end of the converge. */
  const convergeWith = async (
    url: string,
  ): Promise<{ readonly status: number; readonly action: unknown; readonly detail: string }> => {
    gitIn(checkout(), 'remote', 'set-url', 'origin', url)
    daemon = await startDaemon(['serve', '--repo', checkout()])
    const { status } = await postJson(daemon, '/sync', {})
    const { body } = await getJson(daemon, '/sync')
    return {
      status,
      action: jsonField(body, 'lastAction'),
      detail: String(jsonField(body, 'lastDetail')),
    }
  }
  const hasPublished = (): boolean =>
    gitIn(checkout(), 'cat-file', '--batch-check', '--batch-all-objects').includes(published)

  it('of this machine is fetched', async () => {
    equal((await convergeWith(double.remote)).status, 200)
    ok(hasPublished())
  })

  it('that redirects is refused, though the checkout allows it, and nothing is fetched', async () => {
    const url = `${originOf(redirects)}${new URL(double.remote).pathname}`
    gitIn(checkout(), 'config', 'http.followRedirects', 'true')
    gitIn(checkout(), 'config', `http.${originOf(redirects)}/.followRedirects`, 'true')
    // The servers are in this process, so it must not wait for git.
    const { stdout } = await promisify(execFile)('git', ['-C', checkout(), 'ls-remote', url, 'main'])
    equal(stdout.slice(0, 40), published, 'git itself would follow it')
    const followed = redirected.length
    const { status, action, detail } = await convergeWith(url)
    equal(status, 503)
    equal(action, 'unreachable', detail)
    match(detail, /302/)
    ok(redirected.length > followed)
    equal(hasPublished(), false)
  })

  it('of a private address is refused by its name, and git does not start', async () => {
    const { status, action, detail } = await convergeWith('http://10.11.12.13/lore.git')
    equal(status, 503)
    equal(action, 'transport_refused')
    equal(
      detail,
      'http://10.11.12.13/lore.git is not a file, ssh or https address, nor http of this machine.',
    )
    equal(hasPublished(), false)
  })
})
