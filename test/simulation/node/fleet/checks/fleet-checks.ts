import type { Trace } from '../../trace.js'
import { type DutyChecks, dutyChecks } from './check-duty.js'
import { type RoleCheckParts, type RoleChecks, roleChecks } from './check-roles.js'
import { type SecretChecks, secretChecks } from './check-secrets.js'
import { type TakeoverCheckParts, type TakeoverChecks, takeoverChecks } from './check-takeovers.js'

/** What of RELIABILITY part 2 is held against a fleet at each step. */
export interface FleetChecks {
  readonly roles: RoleChecks
  readonly duty: DutyChecks
  readonly takeovers: TakeoverChecks
  readonly secrets: SecretChecks
}

export const openFleetChecks = (
  parts: RoleCheckParts & TakeoverCheckParts & { readonly trace: Trace },
): FleetChecks => {
  const roles = roleChecks(parts)
  const duty = dutyChecks(parts.trace, parts.history, roles)
  const { violation } = parts.trace
  return { roles, duty, takeovers: takeoverChecks(parts), secrets: secretChecks(violation) }
}
