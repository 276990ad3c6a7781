import assert from 'node:assert/strict'
import { renderWholePartsInSlices } from '#src/domain/json/json-bytes.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { corpusBytes, entitiesOf, entityList, projectionOf } from '#test/support/at-once.js'
import { day, sourceFile } from '#test/support/world.js'
import { parseIndexFile } from './bound-findings.js'
import { tagsOfOneList } from './projection.js'
import { readFragmentInSlices } from './references.js'

const nobody = { all: [], repeated: [], byName: new Map(), byAlias: new Map(), roles: [], findings: [] }
const file = (path: string, text: string) => parseIndexFile(sourceFile(path, text))
const target = sourceFile('a.md', '- @info: z pliku')
const sources = { people: nobody, fileAt: (path: string) => (path === 'a.md' ? target : null) }
const today = day('2026-06-15')
const nobodys = () => null
const fragmentOf = (...args: Parameters<typeof readFragmentInSlices>): Buffer =>
  atOnce(readFragmentInSlices(...args))

describe('fragments', () => {
  const first = file('encje/indeks.md', '### A\n- @typ: NPC\n### B\n- @typ: NPC\n- @ref: a.md')
  const before = entitiesOf([first, file('encje/x.md', '### C\n- @typ: NPC')], sources)
  const after = entitiesOf([first, file('encje/x.md', '### C\n- @typ: Grupa')], sources)

  it('are made once a day for an entity that no commit changes', () => {
    for (const at of [0, 1]) {
      const [old, now] = [before.all[at], after.all[at]]
      assert.ok(old !== undefined && now !== undefined)
      assert.equal(fragmentOf(now, today, today, nobodys), fragmentOf(old, today, today, nobodys))
    }
    const [old, now] = [before.all[2], after.all[2]]
    assert.ok(old !== undefined && now !== undefined)
    assert.notEqual(fragmentOf(now, today, today, nobodys), fragmentOf(old, today, today, nobodys))
  })
  it('of another day do not push out those of today', () => {
    const [entity] = before.all
    assert.ok(entity)
    const bytes = fragmentOf(entity, today, today, nobodys)
    fragmentOf(entity, day('2020-01-01'), today, nobodys)
    assert.equal(fragmentOf(entity, today, today, nobodys), bytes)
  })
  it('are made again where the owner goes by another name, and only there', () => {
    const { all } = entitiesOf([file('encje/indeks.md', '### A\n- @typ: NPC\n- @należy_do: sol')], sources)
    const [entity] = all
    assert.ok(entity)
    const shown = (owner: string) => fragmentOf(entity, today, today, () => owner)
    const bytes = shown('Solmyr')
    assert.equal(shown('Solmyr'), bytes)
    assert.ok(shown('Sol').toString().includes('"Owner":"Sol"'))
  })
  it('of blocks that share rows by @ref are what the projection says, in a list as alone', () => {
    const rows = '- @info: „z” pliku\n- @alias: Ö (2020:2021)\n'
    const shared = sourceFile('a.md', rows)
    const blocks = ['- @ref: a.md', '- @alias: Własny (2019:)\n- @ref: a.md', '- @ref: a.md (2020-06:)', '']
    const index = blocks.map((tags, at) => `### B${at}\n- @typ: NPC\n${tags}\n`).join('')
    const { all } = entitiesOf([file('encje/indeks.md', index)], {
      people: nobody,
      fileAt: path => (path === 'a.md' ? shared : null),
    })
    const wanted = all.map(entity => JSON.stringify(projectionOf(entity, today, null)))
    const window = { named: false, limit: null, offset: 0 }
    assert.equal(
      entityList(all, window, today, today, nobodys).toString(),
      `{"count":4,"items":[${wanted.join()}]}`,
    )
    assert.deepEqual(
      all.map(entity => fragmentOf(entity, day('2020-07-01'), today, nobodys).toString()),
      all.map(entity => JSON.stringify(projectionOf(entity, day('2020-07-01'), null))),
    )
  })
  it('of blocks that share rows by @ref are parts of the list without being rendered or copied for each block', () => {
    const shared = sourceFile(
      'a.md',
      Array.from({ length: 1_000 }, (_, at) => `- @info: wiersz ${at}\n`).join(''),
    )
    const blocks = Array.from(
      { length: 50 },
      (_, at) => `### B${at}\n- @typ: NPC\n- @info: własny ${at}\n- @ref: a.md\n`,
    )
    const { all } = entitiesOf([file('encje/indeks.md', blocks.join(''))], {
      people: nobody,
      fileAt: path => (path === 'a.md' ? shared : null),
    })
    const tagsOf = tagsOfOneList()
    const parts = all.map(entity => atOnce(renderWholePartsInSlices(atOnce(tagsOf(entity)))))
    const large = parts.map(list => list.filter(part => part.length > 1_000))
    assert.equal(new Set(large.flat()).size, large[0]?.length)
    assert.deepEqual(
      parts.map(list => Buffer.concat(list).toString()),
      all.map(entity => JSON.stringify(projectionOf(entity, today, null).Tags)),
    )
  })
  it('join to the list that a window takes', () => {
    const list = (offset: number, limit: number | null): unknown =>
      JSON.parse(entityList(before.all, { named: true, limit, offset }, today, today, nobodys).toString())
    assert.deepEqual(list(3, 2), { count: 0, items: [], total: 3, limit: 2, offset: 3 })
    assert.ok(
      corpusBytes(before, today, today, nobodys).toString().startsWith('{"count":3,"items":[{"Name":"A"'),
    )
    assert.equal(corpusBytes(before, today, today, nobodys), corpusBytes(before, today, today, nobodys))
  })
})
