import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { capabilities, nameKey } from '#protocol/atoms.js'
import { growsAsALine } from '#test/support/processor-time.js'
import { sourceFile } from '#test/support/world.js'
import { builtInRoles, bundles, holdsOf, rolesTableOf } from './roles.js'

const table = (text: string) => rolesTableOf(sourceFile('.svc/roles.json', text))

describe('the roles table', () => {
  it('replaces the built-in bundles, whatever the case of a name', () => {
    const read = table('{"roles": {"Radny": ["pu.all"], "radny ": ["entity.read"]}}')
    equal(read.source, 'committed')
    deepEqual(read.bundles.get(nameKey('RADNY')), ['pu.all', 'entity.read'])
    deepEqual([...holdsOf(read, ['Radny', 'gracz'])], ['pu.all', 'entity.read'])
  })

  it('tells of ids that cannot be granted, with their line', () => {
    const read = table('{"roles": {"it": [\n"entity.read",\n"docs.edit",\n"nosuch.all"]}}')
    deepEqual(read.bundles.get(nameKey('it')), ['entity.read'])
    deepEqual(
      read.findings.map(one => [one.kind, one.subject, one.line]),
      [
        ['UnknownCapability', 'docs.edit', 3],
        ['UnknownCapability', 'nosuch.all', 4],
      ],
    )
  })

  it('finds the line of every id, also of one that two roles give', () => {
    const read = table('{"roles": {\n"a": ["x.y"],\n"b": ["entity.read",\n"x.y"]}}\n')
    deepEqual(
      read.findings.map(one => one.line),
      [2, 4],
    )
  })

  it('tells of a hundred ids and counts the rest, in a time that grows with the text alone', () => {
    const ofRoles = (length: number) => {
      const roles = Array.from({ length }, (_, at) => [`rola${at}`, [`nope${at}`]] as const)
      return table(JSON.stringify({ roles: Object.fromEntries(roles) }, null, 1))
    }
    const read = ofRoles(20_000)
    deepEqual([read.bundles.size, read.findings.length, read.findings[99]?.line], [20_000, 101, 301])
    match(read.findings[100]?.reason ?? '', / 19900\.$/)
    ok(growsAsALine(5_000, ofRoles))
  })

  it('is the built-in one where there is no file', () => equal(rolesTableOf(null), builtInRoles))

  const torn = ['', '{', '[]', '{}', '{"roles": []}', '{"roles": {"it": "entity.read"}}']
  const odd = [
    '{"roles": {"it": ["pu.all"], "it": ["entity.read"]}}',
    '{"roles": {"__proto__": ["admin.all"]}}',
    `{"roles": {}${' '.repeat(1_048_577)}}`,
  ]
  for (const text of [...torn, ...odd])
    it(`gives nobody anything where it stands and cannot be read: ${text.slice(0, 60)}`, () => {
      const read = table(text)
      deepEqual([read.source, holdsOf(read, ['gracz', 'radny', 'it']).size], ['unreadable', 0])
      equal(read.findings[0]?.kind, 'RolesUnreadable')
    })

  it('takes a role named as a member of every object for any other', () => {
    const read = table('{"roles": {"constructor": ["entity.read"]}}')
    deepEqual([...holdsOf(read, ['constructor', 'toString', '__proto__'])], ['entity.read'])
  })

  it('names only listed capabilities in the built-in bundles', () => {
    const listed: ReadonlySet<string> = new Set(capabilities)
    for (const ids of Object.values(bundles))
      deepEqual(
        ids.filter(id => !listed.has(id)),
        [],
      )
  })
})
