import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { sourceFile } from '#test/support/world.js'
import { readManifest, registryFiles } from './manifest.js'
import { quoteRow, readRegistry } from './registry.js'

const read = (...texts: ReadonlyArray<string>) =>
  readRegistry(texts.map((text, at) => sourceFile(`a-${900 - at}-ent.md`, text)))

const rowsOf = (text: string) =>
  read(text).entities.map(({ name, rows }) => [name, ...rows.map(row => `${row.tag} ${quoteRow(row)}`)])

describe('the legacy registry', () => {
  it('reads files weakest first: the main one, strays, then shards by falling number', () => {
    const paths = [
      'a-100-ent.md',
      '.robot.new/entities.md',
      'x/b-300-ent.md',
      'entities.md',
      'a-b-ent.md',
      'ent.md',
    ]
    const files = paths.map(path => sourceFile(path, ''))
    deepEqual(
      registryFiles(files, readManifest(undefined)).map(file => file.path),
      ['entities.md', '.robot.new/entities.md', 'a-b-ent.md', 'x/b-300-ent.md', 'a-100-ent.md'],
    )
  })

  it('takes the main file from the manifest', () => {
    const manifest = readManifest(
      sourceFile('.robot-data.psd1', "@{ \nEntitiesFile = '.\\dane\\rejestr.md'\n}"),
    )
    const files = ['entities.md', 'dane/rejestr.md'].map(path => sourceFile(path, ''))
    deepEqual(
      registryFiles(files, manifest).map(file => file.path),
      ['dane/rejestr.md', 'entities.md'],
    )
  })

  it('merges an entity over shards whatever the case of its name', () => {
    const registry = read('## NPC\n\n* Jawor\n    - @alias: A\n', '## NPC\n\n* JAWOR\n    - @alias: B\n')
    deepEqual(
      registry.entities.map(({ name, rows }) => [name, rows.map(row => row.value)]),
      [['Jawor', ['A', 'B']]],
    )
  })

  it('keeps equal names of different sections apart', () => {
    equal(read('## NPC\n* Jawor\n## Lokacja\n* Jawor\n').entities.length, 2)
  })

  it('takes a tab for four blanks, joins continuation and nested lines', () => {
    deepEqual(rowsOf('## NPC\n* Jawor\n\t- @info: Raz.\n\t  Dwa.\n\t\t- Trzy.\n'), [
      ['Jawor', 'info "Raz.\nDwa.\nTrzy."'],
    ])
  })

  it('reads each bullet below @alias as an alias with its own range', () => {
    deepEqual(rowsOf('## NPC\n* Jawor\n    - @alias:\n        - A (2024:)\n        - B\n'), [
      ['Jawor', 'alias "A (2024:)"', 'alias "B"'],
    ])
  })

  it('keeps a parenthesis that is no range as text', () => {
    deepEqual(rowsOf('## NPC\n* Jawor\n    - @lokacja: Karczma (uwaga: zła)\n'), [
      ['Jawor', 'lokacja "Karczma (uwaga: zła)"'],
    ])
  })

  it('adopts a bullet of an unknown section only with a type', () => {
    const registry = read('## Różne\n* Jawor\n    - @typ: Lokacja\n* Pieśń\n')
    deepEqual(
      registry.entities.map(({ name, type }) => [name, type]),
      [['Jawor', 'Lokacja']],
    )
    deepEqual(
      registry.findings.map(({ kind, line }) => [kind, line]),
      [
        ['UnknownSection', 1],
        ['UntypedEntity', 4],
      ],
    )
  })

  it('takes a tag at the margin for one of the entity above', () => {
    deepEqual(rowsOf('## NPC\n* Jawor\n- @grupa: Cech\n'), [['Jawor', 'grupa "Cech"']])
    deepEqual(
      read('## NPC\n- @grupa: Cech\n').findings.map(({ kind }) => kind),
      ['UntypedEntity'],
    )
  })
})
