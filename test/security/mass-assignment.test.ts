import { benchOf } from '#test/contract/bench.js'
import { seeMassAssignment, seeTagAssignment } from './mass-assignment-table.js'
import { ownScopeFront } from './own-scope-host.js'

seeMassAssignment(benchOf)
seeTagAssignment(ownScopeFront)
