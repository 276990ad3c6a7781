import { describe } from 'mocha'
import { rowsOfPersons, startBuiltBench } from '#test/contract/built-bench.js'
import { seeMassAssignment, seeTagAssignment } from '#test/security/mass-assignment-table.js'
import { ownScopeBuilt } from '#test/security/own-scope-host.js'
import { seeOwnScope } from '#test/security/own-scope-table.js'

describe('own scope at the built daemon', () => {
  seeOwnScope(ownScopeBuilt)
  seeMassAssignment(startBuiltBench, rowsOfPersons)
  seeTagAssignment(ownScopeBuilt)
})
