import { createHash } from 'node:crypto'
import { dayOf } from '#protocol/atoms.js'
import { answerKey, etagOf, stampOf } from '#src/http/answers/answer-bytes.js'
import { headIn } from '#test/support/repository.js'
import type { Tactic } from '../caller-case.js'
import { aim } from '../worlds/base.js'
import { segment } from './path.js'

const own = [
  ['pu.timeline.list', '/pu/timeline', 'character', aim.character],
  ['pu.newCharacterCount.get', '/pu/new-character-count', 'player', aim.victim],
] as const

const warsawDay = (): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Warsaw' }).format(Date.now())

/**
 * Validators of answers about another, made as the daemon makes them: it is open how, and what goes into them is known.
 * `304` tells that the answer stands where a refusal is due.
 */
export const forgeValidators: Tactic = async ({ caller, repository, trial, fire }) => {
  const health: unknown = JSON.parse((await fire({ method: 'GET', path: '/health' }))?.text ?? 'null')
  const version = typeof health === 'object' && health !== null && 'version' in health ? health.version : null
  const day = dayOf(warsawDay())
  if (typeof version !== 'string' || day === null) return
  const head = headIn(repository.path)
  const inputs = createHash('sha1').update(`${head}\0`).digest('hex')
  const view = { mayReadRestricted: false, sessions: false, logs: false, external: false }
  for (const [id, path, parameter, value] of own) {
    const query = `${parameter}=${JSON.stringify(value)}&`
    const key = answerKey(id, {}, query, { grade: 'own', gracz: caller.person, view })
    const etag = etagOf(stampOf({ inputs, day }, version), key)
    const target = `${path}?${parameter}=${segment(value)}`
    const reply = await fire({ method: 'GET', path: target, headers: { 'If-None-Match': etag } })
    if (reply?.status === 304)
      trial.violate(`GET ${path} of another answers 304 to a validator that was made up`)
  }
}
