import { existsSync, readFileSync } from 'node:fs'
import * as t from 'io-ts'
import type { SeenCall } from './forge-double.js'

const file = new URL('../../../../shared/contracts/forge-calls.json', import.meta.url)

const ContractCall = t.intersection([
  t.type({ method: t.string, path: t.string }),
  t.partial({ parameters: t.array(t.string), responses: t.array(t.number) }),
])
type ContractCall = t.TypeOf<typeof ContractCall>
const Contract = t.type({ base: t.literal('/api/v4'), calls: t.array(ContractCall) })

/** Calls of this host that the contract lacks. */
const lackedCalls: ReadonlyArray<ContractCall> = [
  { method: 'GET', path: '/projects/{id}/merge_requests', responses: [200, 401] },
  {
    method: 'PUT',
    path: '/projects/{id}/merge_requests/{merge_request_iid}',
    parameters: ['state_event', 'description'],
    responses: [200, 401, 404],
  },
]

export type ContractSubject = Pick<SeenCall, 'method' | 'path' | 'body'> & { readonly status: number | null }

/** The calls that the daemon may make of the forge. */
export interface ForgeContract {
  /** Every call, by method and path. */
  readonly calls: ReadonlyArray<string>
  /** What breaks the contract in a call as it was received, and in its answer. */
  readonly breachesOf: (call: ContractSubject) => ReadonlyArray<string>
}

const nameOf = ({ method, path }: ContractCall): string => `${method} ${path}`

const matches = (template: string, path: string): boolean => {
  const [wanted, given] = [template.split('/'), (path.split('?')[0] ?? '').split('/')]
  return (
    wanted.length === given.length &&
    wanted.every((part, at) =>
      /^\{.+_.*id\}$/.test(part) ? /^\d+$/.test(given[at] ?? '') : part === given[at] || part === '{id}',
    )
  )
}

const keysOf = (body: string): ReadonlyArray<string> => {
  const fields: unknown = body === '' ? {} : JSON.parse(body)
  return t.UnknownRecord.is(fields) ? Object.keys(fields) : []
}

/** Null where the contract is not beside the project: it is never part of it. */
export const forgeContract = (): ForgeContract | null => {
  if (!existsSync(file)) return null
  const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!Contract.is(read)) throw new Error('the contract of the forge has another shape')
  const all = [...read.calls, ...lackedCalls]
  return {
    calls: all.map(nameOf),
    breachesOf: ({ method, path, body, status }) => {
      const call = all.find(one => one.method === method && matches(one.path, path))
      if (call === undefined) return [`no call ${method} ${path}`]
      const { parameters, responses } = call
      const strange = keysOf(body).filter(key => parameters?.includes(key) === false)
      const isOdd = status !== null && responses?.includes(status) === false
      return [
        ...strange.map(key => `${nameOf(call)} has no parameter ${key}`),
        ...(isOdd ? [`${nameOf(call)} answers no ${status}`] : []),
      ]
    },
  }
}
