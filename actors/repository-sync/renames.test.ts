import { deepEqual, equal, ok } from 'node:assert/strict'
import { afterEach, describe, it } from 'mocha'
import { type SyncHost, type SyncWorld, syncWorld } from '#test/support/sync-hosts.js'

const anna = 'Postaci/Anna.md'
const beata = 'Postaci/Beata.md'
const celina = 'Postaci/Celina.md'
const card = (name: string): string =>
  `# ${name}\n\n${Array.from({ length: 12 }, (_, at) => `- Zapis ${at} tej karty\n`).join('')}`
const own = '- Anna ma klucz\n'

describe('a merge of a file that one side removed and that another resembles', () => {
  let world: SyncWorld
  afterEach(() => world.dispose())

  const hosts = async (): Promise<readonly [SyncHost, SyncHost]> => {
    world = syncWorld({ [anna]: card('Anna'), 'inne.md': 'Raz.\n' })
    return [await world.host('a'), await world.host('b')]
  }
  /** Removes Anna's file and adds another one in the same commit, as a rename of a Postać does. */
  const replace = (host: SyncHost, path: string, text: string): void => {
    host.git('rm', '-q', anna)
    host.write({ [path]: text })
  }
  const paths = (host: SyncHost): ReadonlyArray<string> =>
    host.git('ls-tree', '-r', '--name-only', 'HEAD').split('\n')
  const agree = async ([one, two]: readonly [SyncHost, SyncHost]): Promise<void> => {
    await one.sync()
    await two.sync()
    equal(one.head(), two.head())
    equal((await one.sync()).lastAction, 'up_to_date')
  }

  it('puts no row of one Postać into the file of another, and names the conflict', async () => {
    const [one, two] = await hosts()
    replace(one, beata, card('Beata'))
    const theirs = two.write({ [anna]: card('Anna') + own })
    await one.sync()
    const report = await two.sync()
    equal(report.lastAction, 'conflict_parked')
    deepEqual(two.ended.at(-1)?.run.parked[0]?.files, [anna])
    equal(`${two.file(beata)}\n`, card('Beata'))
    deepEqual(paths(two), [beata, 'inne.md'])
    // The omitted version is parked: its commit, and the file as this host wanted it.
    const [kept] = report.parked
    ok(kept !== undefined)
    two.git('merge-base', '--is-ancestor', theirs, 'HEAD')
    equal(`${two.git('cat-file', 'blob', `${kept.ref}:${anna}`)}\n`, card('Anna') + own)
    await agree([one, two])
  })

  it('keeps a row that was published before the file was moved by a rename of its Postać', async () => {
    const [one, two] = await hosts()
    two.write({ [anna]: card('Anna') + own })
    replace(one, 'Postaci/Anna Maria.md', card('Anna'))
    await two.sync()
    const report = await one.sync()
    equal(report.lastAction, 'conflict_parked')
    deepEqual(one.ended.at(-1)?.run.parked[0]?.files, [anna])
    equal(`${one.file(anna)}\n`, card('Anna') + own)
    equal(`${one.file('Postaci/Anna Maria.md')}\n`, card('Anna'))
    await agree([one, two])
  })

  it('moves a file without a conflict where the other side left it alone', async () => {
    const [one, two] = await hosts()
    replace(one, 'Postaci/Anna Maria.md', card('Anna'))
    two.write({ 'inne.md': 'Dwa.\n' })
    await one.sync()
    equal((await two.sync()).lastAction, 'merged')
    deepEqual([paths(two), two.file('inne.md')], [['Postaci/Anna Maria.md', 'inne.md'], 'Dwa.'])
    await agree([one, two])
  })

  it('mixes no two files that came in the place of one that both sides removed', async () => {
    const [one, two] = await hosts()
    replace(one, beata, `${card('Beata')}- Beata śpi\n`)
    replace(two, celina, `${card('Celina')}- Celina czuwa\n`)
    await one.sync()
    equal((await two.sync()).lastAction, 'merged')
    equal(`${two.file(beata)}\n`, `${card('Beata')}- Beata śpi\n`)
    equal(`${two.file(celina)}\n`, `${card('Celina')}- Celina czuwa\n`)
    await agree([one, two])
  })

  it('moves no new file after a folder whose files were moved', async () => {
    const [one, two] = await hosts()
    one.git('mv', 'Postaci', 'Dawne')
    one.write({ 'inne.md': 'Dwa.\n' })
    two.write({ [beata]: 'Nowa.\n' })
    await one.sync()
    equal((await two.sync()).lastAction, 'merged')
    deepEqual(paths(two), ['Dawne/Anna.md', beata, 'inne.md'])
    await agree([one, two])
  })
})
