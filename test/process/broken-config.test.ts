import { doesNotMatch, equal, match } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { eventually, getJson, postJson, startDaemon } from '#test/support/daemon.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'
import { runInProcess } from '#test/support/run-in-process.js'

const config = '.svc/config.json'

describe('a committed configuration that does not parse', () => {
  let repository: Repository
  beforeEach(() => {
    repository = repositoryOf({ '.svc/format.json': '{"format": 2}\n' })
  })
  afterEach(() => repository.dispose())

  it('gives way to the newest version that parses, with an error in log and doctor', async () => {
    repository.commit({ [config]: '{"server": {"publish_mode": "mr"}}' })
    const good = repository.commit({
      [config]: '{"server": {"publish_mode": "push", "sync_max_age_min": 7}}',
    })
    repository.commit({ [config]: '{"server": {' })
    repository.commit({ [config]: '{\n  "server": "x"\n}\n' })
    const daemon = await startDaemon(['serve', '--repo', repository.path])
    const health = JSON.stringify((await getJson(daemon, '/health')).body)
    await daemon.stop()
    match(health, /"publishMode":"push".*"staleAfterMinutes":7/)
    match(
      daemon.stderr(),
      new RegExp(
        `"level":50.*"line":2,"reason":"The committed .svc/config.json does not parse at line 2, column 13: ` +
          `server must be an object. This host uses the version of commit ${good}\\.".*"config_broken"`,
      ),
    )
    const doctor = await runInProcess('doctor', '--repo', repository.path)
    equal(doctor.code, 65)
    match(doctor.stdout, /^\.svc\/config\.json:2: error: .* at line 2, column 13: .*\[ConfigInvalid\]$/m)

    repository.commit({ [config]: '{"server": {"publish_mode": "mr"}}' })
    doesNotMatch((await runInProcess('doctor', '--repo', repository.path)).stdout, /ConfigInvalid/)
  })

  it('is not what the snapshot reads either, at a start and after a commit, on a reader thread too', async () => {
    const set = {
      server: { time_zone: 'America/New_York', reader_threads: 1, selfheal_interval_ms: 50 },
      sessions: { staged: true },
      corpora: { dziel: 'dziela' },
    }
    const index = '### Dąb\n- @typ: NPC (:2024-05)\n- @typ: Lokacja (2024-06:)\n'
    repository.commit({ [config]: JSON.stringify(set), 'encje/indeks.md': index })
    repository.commit({ [config]: '{"server": {' })
    const daemon = await startDaemon(['serve', '--repo', repository.path])
    // 22:30 of May in New York, and June in the default zone.
    const day = `/entities/${encodeURIComponent('Dąb')}?activeOn=2024-06-01T02:30:00Z`
    const session = { date: '2026-05-15', title: 'Próba', narrators: ['Solmyr'] }
    const look = async () => ({
      day: JSON.stringify((await getJson(daemon, day)).body),
      staged: JSON.stringify((await postJson(daemon, '/sessions?dryRun=true', session)).body),
      store: JSON.stringify(
        (await postJson(daemon, '/sessions?dryRun=true', { ...session, file: 'dziela/x.md' })).body,
      ),
    })
    const isEarlier = ({ day, staged, store }: Awaited<ReturnType<typeof look>>): void => {
      match(day, /"Type":"NPC"/)
      match(staged, /"staged":true/)
      match(store, /"ValueRefused".*dziela/)
    }
    try {
      isEarlier(await look())
      repository.commit({ [config]: '', 'encje/indeks.md': `${index}\n### Klon\n- @typ: NPC\n` })
      await eventually(
        () => getJson(daemon, '/entities/Klon'),
        ({ status }) => status === 200,
      )
      isEarlier(await look())
    } finally {
      await daemon.stop()
    }
  })

  it('gives way to the defaults, which publish nothing, where no version parses', async () => {
    repository.commit({ [config]: '{"server": {"publish_mode": "push"}' })
    repository.commit({ [config]: '' })
    const daemon = await startDaemon(['serve', '--repo', repository.path])
    const health = JSON.stringify((await getJson(daemon, '/health')).body)
    await daemon.stop()
    match(health, /"publishMode":"none"/)
    match(daemon.stderr(), /uses the default of every key and publishes nothing.*"config_broken"/)
    equal((await runInProcess('doctor', '--repo', repository.path)).code, 65)
  })
})
