import { deepEqual, equal, match } from 'node:assert/strict'
import type { ScenarioCase } from '#test/scenario/world/run-cases.js'
import { eventually, runCommand } from '#test/support/daemon.js'
import { gitIn, writeFiles } from '#test/support/repository.js'
import {
  accept,
  claimBlocked,
  claimClean,
  claimOldIds,
  purge,
  rewriteCase,
  secretPath,
  writeApart,
  writeNth,
} from './rewrite-story.js'

const purged = rewriteCase({
  name: 'purged',
  about:
    'a secret is purged while three hosts hold writes; one command for each host, and nothing comes back',
  play: async world => {
    const { story, hosts } = world
    await writeApart(world)
    await claimBlocked(world, purge(world))
    await story.claim('without --yes the command shows what it would do, and changes nothing', async () => {
      for (const host of hosts) {
        const before = gitIn(host.path, 'for-each-ref')
        const { code, stdout, stderr } = await runCommand(['accept-rewrite', '--repo', host.path])
        equal(code, 0, stderr)
        match(
          stdout,
          new RegExp(`made again on it: 4\\.[^]*never publishes again: 1\\.\\n {2}${secretPath}\\n`),
        )
        equal(gitIn(host.path, 'for-each-ref'), before)
      }
    })
    for (const host of hosts) await accept(world, host)
    await claimClean(world)
    await claimOldIds(world)
  },
})

const killed = rewriteCase({
  name: 'killed',
  about: 'a host is killed before and after it accepts, and a person wrote into the purged file',
  play: async world => {
    const { story, hosts, ledger } = world
    await writeApart(world)
    const [first] = hosts
    if (first === undefined) throw new Error('no host')
    writeFiles(first.path, { [secretPath]: 'Hasło bota: mellon\nI jeszcze jedno.\n' })
    gitIn(first.path, 'commit', '-q', '-a', '-m', 'dopisane')
    await claimBlocked(world, purge(world))
    await first.kill()
    const started = first.start()
    await eventually(
      // The host refuses connections until it has started again.
      () => first.sync().catch(() => null),
      status => status?.lastAction === 'history_rewritten',
    )
    story.tell(first.town, 'was killed, and runs again')
    await accept(world, first)
    await started
    await first.kill()
    await first.start()
    await story.claim('what was written into the purged file is parked here, and nowhere else', async () => {
      const { parked } = await first.sync()
      deepEqual(parked.length, 2)
    })
    for (const host of hosts.slice(1)) await accept(world, host)
    await claimClean(world)
    await claimOldIds(world)
    equal(ledger.entries.length, 12)
  },
})

const back = rewriteCase({
  name: 'back',
  about: 'a clone that was not purged pushes the secret again, and a person purges again',
  play: async world => {
    const { story, hosts, person, bare } = world
    await writeApart(world)
    await claimBlocked(world, purge(world))
    for (const host of hosts) await accept(world, host)
    await claimClean(world)
    person.publish({ 'uwagi.md': 'Od osoby.\n' })
    story.tell('a person', 'merges an old clone and pushes it')
    await story.claim('no host merges it', async () => {
      for (const host of hosts) {
        const before = host.head()
        const { json } = await host.ask('/sync', { method: 'POST', body: '{}' })
        equal(Reflect.get(Object(json), 'lastAction'), 'history_purged')
        equal(host.head(), before)
      }
    })
    gitIn(bare, 'update-ref', 'refs/heads/main', hosts[0]?.head() ?? '')
    story.tell('a person', 'takes it back')
    for (const [at, host] of hosts.entries()) await writeNth(world, host, at)
    await claimClean(world)
  },
})

export const rewriteCases: ReadonlyArray<ScenarioCase> = [purged, killed, back]
