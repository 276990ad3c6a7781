import type { Descriptions } from '../description.js'

const source = '`committed` where the committed file states a valid owner, `default` elsewhere.'
const gameId = 'Game id of the person.'
const fields = 'All fields of the row after the write, without `zmieniono`.'
const zmieniono = 'When the host last changed the row; null for a row that only persons edited.'

const afterwardsText = {
  owner: 'Owner after the write.',
  changed: 'False where the committed file already has the owner.',
  effectiveAfterConverge: 'Always true: this host obeys at once, other hosts once they have converged.',
} as const

export const governanceDescriptions: Descriptions = {
  SchedulesAnswer: {
    workloads: 'Every workload, in a fixed order.',
    source: '`committed` where the file states a valid owner of at least one workload.',
  },
  ScheduledWorkload: {
    workload: 'Name of the workload.',
    owner: '`fleet`: the tick of the apex runs it; `ci`: the job of CI runs it; `off`: neither does.',
    allowed: 'Owners that the workload may have.',
    default: 'Owner where the committed file states none, or an invalid one.',
    source,
  },
  OwnerPatch: { owner: 'The new owner, one of `allowed` of the workload.' },
  OwnerSet: { set: 'Name of the workload.', ...afterwardsText },
  OwnerPreview: { wouldSet: 'Name of the workload.', ...afterwardsText },
  PermissionRows: { count: 'Number of the listed rows.', items: 'The rows, in the order of the file.' },
  PermissionRow: {
    gameId: 'Game id that the row belongs to.',
    nick: 'Heading of the person who has the id today; null when it is not one person.',
    fields: 'The fields of the row without `zmieniono`.',
    zmieniono,
  },
  PermissionsUpdated: { updated: gameId, fields, zmieniono },
  PermissionsPreview: { wouldUpdate: gameId, fields },
}
