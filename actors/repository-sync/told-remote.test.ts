import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { serveGit } from '#test/support/forge/http-backend.js'
import { type SyncWorld, syncWorld } from '#test/support/sync-hosts.js'

describe('what a converge tells of a remote', () => {
  let world: SyncWorld
  beforeEach(() => {
    world = syncWorld({ 'inne.md': 'Raz.\n' })
  })
  afterEach(() => world.dispose())

  for (const [name, when] of [
    ['reference-transaction', '[ "$1" = prepared ] || exit 0'],
    ['update', ':'],
    ['pre-receive', ':'],
  ] as const)
    it(`is the text of its hook ${name} where that refuses`, async () => {
      const host = await world.host('a')
      const hook = join(world.bare, 'hooks', name)
      writeFileSync(
        hook,
        `#!/bin/sh\n${when}\necho cannot lock ref: https://u:tajne@x.example/ >&2\nexit 1\n`,
      )
      chmodSync(hook, 0o755)
      host.write({ 'a.md': 'a\n' })
      const { lastAction, lastDetail } = await host.sync()
      equal(lastAction, 'push_rejected', lastDetail ?? '')
      match(lastDetail ?? '', /remote: cannot lock ref: https:\/\/\[redacted\]/)
      equal(host.ended.at(-1)?.run.attempt, 1)
    })

  /** A server on this machine, and the address of its repository. */
  const serve = async (listener: RequestListener) => {
    const server = createServer(listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/bare.git` }
  }

  for (const [what, page] of [
    ['of one line', '<html><body>Zaloguj</body></html>'],
    ['of many lines', '<html>\n<body>\nZaloguj\n</body>\n</html>\n'],
    ['that is empty', ''],
  ] as const)
    it(`is that a page ${what} is no git, and no empty remote`, async () => {
      const asked: Array<string> = []
      const { server, url } = await serve((request, response) => {
        asked.push(`${request.method} ${request.url?.split('?')[1]}`)
        response.writeHead(200, { 'content-type': 'text/html' })
        response.end(page)
      })
      const host = await world.host('a')
      host.write({ 'a.md': 'a\n' })
      host.git('remote', 'set-url', 'origin', url)
      const { lastAction, unpublished } = await host.sync()
      deepEqual([lastAction, unpublished], ['unreachable', 1])
      ok(asked.length > 0 && !asked.some(one => one.includes('receive-pack')), 'nothing is pushed')
      server.close()
    })

  it('is nothing bad of a git over http that lacks the branch: it is created', async () => {
    const { server, url } = await serve((request, response) => {
      const path = (request.url ?? '').split('?')[0]?.slice('/bare.git'.length) ?? ''
      void serveGit(world.bare, path, request, response, false)
    })
    const host = await world.host('a')
    host.git('--git-dir', world.bare, 'config', 'http.receivepack', 'true')
    host.git('--git-dir', world.bare, 'update-ref', '-d', 'refs/heads/main')
    host.git('remote', 'set-url', 'origin', url)
    // The host never saw the branch there.
    for (const ref of ['seen/main', 'fetched', 'incoming']) host.git('update-ref', '-d', `refs/svc/${ref}`)
    equal((await host.sync()).lastAction, 'pushed')
    equal(world.remoteHead(), host.head())
    server.close()
  })

  it('is .git/shallow and the command that completes the history, which loses nothing', async () => {
    const [one, two] = [await world.host('a'), await world.host('b')]
    one.write({ 'a.md': 'a\n' })
    await one.sync()
    const own = two.write({ 'b.md': 'b\n' })
    two.git('fetch', '-q', '--depth', '1', `file://${world.bare}`, 'main')
    const { lastAction, lastDetail } = await two.sync()
    equal(lastAction, 'shallow_clone')
    match(lastDetail ?? '', /\.git\/shallow.*git fetch --unshallow origin/)
    two.git('fetch', '-q', '--unshallow', 'origin')
    equal((await two.sync()).lastAction, 'merged')
    two.git('merge-base', '--is-ancestor', own, 'HEAD')
  })
})
