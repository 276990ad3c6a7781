import { deepEqual, equal } from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, before, describe, it } from 'mocha'
import { gitIn } from '#test/support/repository.js'
import { someOf } from '#test/support/runs.js'
import { type SyncHost, type SyncWorld, syncWorld } from '#test/support/sync-hosts.js'

const store = 'kontrybutorzy.md'
const people =
  '## Gracz\n\n### Solmyr\n- @gameid: 1\n- @rola: Radny\n- @rola: Narrator\n- @strefa: Erathia\n\n### Xeron\n- @gameid: 2\n'
const withoutRole = people.replace('- @rola: Narrator\n', '')
const withRow = people.replace('- @rola: Narrator\n', '- @rola: Narrator\n- @rola: Skarbnik\n')

/** Attribute files that would change git's own merge or checkout. */
const attributes: Readonly<Record<string, string>> = {
  'merge=union': '* merge=union\n',
  'a driver that keeps ours': '* merge=ours\n',
  'a driver that the checkout names': '* merge=evil\n',
  'merge=binary': '* merge=binary -diff\n',
  'ends of lines': '* text eol=crlf\n',
  'another encoding': '* text working-tree-encoding=UTF-16\n',
  'a filter': '* filter=evil diff=evil ident\n',
}

describe('a merge under committed attributes', () => {
  let world: SyncWorld
  afterEach(() => world.dispose())

  /** The result of two hosts that change the contributor store at one place, with or without attributes. */
  const convergedOn = async (text: string | null, path = '.gitattributes') => {
    world = syncWorld({ [store]: people, 'inne.md': 'Raz.\n' })
    const [one, two] = [await world.host('a'), await world.host('b')]
    const ran = join(one.path, '..', 'ran')
    if (text !== null) {
      plant(one, path, text)
      await one.sync()
      await two.sync()
      if (path === '.gitattributes') writeFileSync(join(two.path, path), text)
    }
    commitRaw(one, withoutRole)
    commitRaw(two, withRow)
    // Configured only now: otherwise the test's own git would run the filter while it commits.
    for (const { git } of [one, two]) {
      for (const name of [
        'merge.evil.driver',
        'merge.ours.driver',
        'filter.evil.clean',
        'diff.evil.textconv',
      ])
        git('config', name, `touch ${ran}; true`)
      git('config', 'merge.renormalize', 'true')
      git('config', 'merge.default', 'evil')
    }
    await one.sync()
    const report = await two.sync()
    await one.sync()
    equal(one.head(), two.head())
    return { action: report.lastAction, file: two.file(store), ran: existsSync(ran), host: two }
  }

  /** Commits exactly these bytes, bypassing every filter. */
  const plant = ({ git, path }: SyncHost, file: string, text: string): void => {
    const source = join(path, '.git', 'planted')
    writeFileSync(source, text)
    const blob = gitIn(path, 'hash-object', '-w', '--no-filters', source)
    git('update-index', '--add', '--cacheinfo', `100644,${blob},${file}`)
    const tree = git('write-tree')
    git('update-ref', 'HEAD', git('commit-tree', tree, '-p', 'HEAD', '-m', 'write'))
  }
  const commitRaw = (host: SyncHost, text: string): void => {
    host.git('read-tree', 'HEAD')
    plant(host, store, text)
  }

  it('a removed @rola stays removed where merge=union is committed', async () => {
    const { action, file } = await convergedOn('* merge=union\n')
    equal(action, 'merged')
    equal(file.includes('@rola: Narrator'), false)
    equal(file.includes('@rola: Skarbnik'), true)
    equal(file.includes('@rola: Radny'), true)
  })

  describe('is the same as without them, and runs nothing:', () => {
    let plain: Awaited<ReturnType<typeof convergedOn>>
    before(async () => {
      plain = await convergedOn(null)
      await world.dispose()
    })

    for (const [name, text] of someOf(Object.entries(attributes)))
      it(name, async () => {
        const { action, file, ran } = await convergedOn(text)
        deepEqual({ action, file, ran }, { action: plain.action, file: plain.file, ran: false })
      })
  })

  it('is the same under attributes of a folder', async () => {
    const { file } = await convergedOn('* merge=union\n', 'encje/.gitattributes')
    equal(file.includes('@rola: Narrator'), false)
  })

  it('is the same under the attributes of a checkout, which stay as they are', async () => {
    world = syncWorld({ [store]: people })
    const [one, two] = [await world.host('a'), await world.host('b')]
    const own = join(two.path, '.git/info/attributes')
    mkdirSync(join(two.path, '.git/info'), { recursive: true })
    writeFileSync(own, '* merge=union\n')
    one.write({ [store]: withoutRole })
    two.write({ [store]: withRow })
    await one.sync()
    equal((await two.sync()).lastAction, 'merged')
    equal(two.file(store).includes('@rola: Narrator'), false)
    equal(readFileSync(own, 'utf8'), '* merge=union\n')
  })

  it('is made in a shallow clone too', async () => {
    world = syncWorld({ [store]: people })
    const one = await world.host('a')
    const two = await world.host('b')
    two.git('fetch', '-q', '--depth=1', `file://${world.bare}`, 'main')
    one.write({ [store]: withoutRole })
    two.write({ [store]: withRow })
    await one.sync()
    equal((await two.sync()).lastAction, 'merged')
    equal(two.file(store).includes('@rola: Narrator'), false)
  })
})
