import { nameKey } from '#protocol/atoms.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { People } from '#src/domain/people/person.js'
import type { Roster } from '#src/domain/people/store/roster.js'
import { storeFinding } from '#src/domain/people/store/store-finding.js'
import type { RolesTable } from './roles.js'

const unknownRoles = (people: People, roles: RolesTable): ReadonlyArray<Finding> =>
  people.all.flatMap(person =>
    person.rows
      .filter(row => row.tag === 'rola' && row.value !== '' && !roles.bundles.has(nameKey(row.value)))
      .map(row => storeFinding('UnknownRole', person.file, row.line, person.name, `${row.value}: `)),
  )

const missingChats = (roster: Roster): ReadonlyArray<Finding> =>
  roster.listed
    .filter(one => one.chat.state === 'missing')
    .map(({ person }) => storeFinding('MissingChat', person.file, person.line, person.name))

/**
 * All findings about the store: those of the parser, then those that depend on the roles table and the day.
 */
export const contributorIntegrity = (
  people: People,
  roster: Roster,
  roles: RolesTable,
): ReadonlyArray<Finding> => [...people.findings, ...unknownRoles(people, roles), ...missingChats(roster)]
