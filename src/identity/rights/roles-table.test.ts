import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { capabilities } from '#protocol/atoms/capability.js'
import { nameKey } from '#protocol/atoms/name.js'
import { sourceFile } from '#test/support/world.js'
import { bundles } from './bundles.js'
import { builtInRoles, holdsOf, rolesTableOf } from './roles-table.js'

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

  for (const text of ['', '{', '[]', '{"roles": []}', '{"roles": {"it": "entity.read"}}'])
    it(`keeps the built-in bundles for ${text || 'an empty file'}`, () => {
      const read = table(text)
      equal(read.bundles, builtInRoles.bundles)
      equal(read.findings[0]?.kind, 'RolesUnreadable')
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
