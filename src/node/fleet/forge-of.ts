import type { Config } from '#protocol/config.js'
import type { ForgeAnswer } from '#protocol/forge.js'
import { forgeHttp } from '#src/adapters/outbound/forge-http.js'
import { type ForgeAddressFault, projectAddress } from '#src/domain/forge/wire.js'
import { labelCode } from '#src/domain/outbound/outbound.js'
import type { ForgePort } from '#src/ports/forge.js'
import type { Meter } from '#src/ports/records.js'
import type { Secrets } from '../identity/keys/secrets.js'

/** Why this host cannot call the forge: a setting that is missing or unusable. */
export type ForgeAbsence = 'token' | ForgeAddressFault

/** What is wrong with the setting, for an operator. */
export const describeForgeAbsence = (why: ForgeAbsence): string =>
  why === 'token' ? 'SVC_FORGE_TOKEN is not set' : `integrations.forge.${why} is not usable`

export type HostForge =
  | { readonly _tag: 'Forge'; readonly call: ForgePort }
  | { readonly _tag: 'NoForge'; readonly why: ForgeAbsence }

export interface ForgeSetup {
  readonly config: Config
  readonly secrets: Secrets
  readonly version: string
  readonly meter: Pick<Meter, 'count'>
  /** Wall time. */
  readonly nowMs: () => number
}

const codeOf = ({ outcome, status }: ForgeAnswer): string => {
  if (status !== null) return labelCode(status)
  return outcome._tag === 'NoAnswer' ? outcome.failure : 'unreachable'
}

/** The port, with its calls counted. */
const countCalls =
  (port: ForgePort, meter: ForgeSetup['meter']): ForgePort =>
  async (...given) => {
    const answer = await port(...given)
    meter.count('svc_outbound_requests_total', { target: 'forge', code: codeOf(answer) })
    if (answer.outcome._tag === 'Limited')
      meter.count('svc_outbound_rate_limited_total', { target: 'forge', scope: 'user' })
    return answer
  }

/** The forge of this host's configuration and token; without any of them, what is missing. */
export const forgeOf = ({ config, secrets, version, meter, nowMs }: ForgeSetup): HostForge => {
  const { forgeToken: token } = secrets
  if (token === null) return { _tag: 'NoForge', why: 'token' }
  const address = projectAddress(config['integrations.forge.api_url'], config['integrations.forge.project'])
  if (typeof address !== 'string') return { _tag: 'NoForge', why: address.bad }
  const userAgent = `Kronika (self-hosted, ${version})`
  return { _tag: 'Forge', call: countCalls(forgeHttp({ address, token, userAgent, nowMs }), meter) }
}
