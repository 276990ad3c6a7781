/**
 * The remote that git gets in place of the configured one. It exists only in the environment: it has no
 * `fetch` setting, so no ref of a person moves, and its URL is on no command line.
 */
export const transientRemote = 'kronika-sync'

/** The settings of the configured remote that it takes over. */
const kept = ['uploadpack', 'receivepack', 'proxy', 'proxyauthmethod'] as const

/** The arguments by which git prints those settings, separated by NUL. */
export const configQueryArgs = (remote: string): ReadonlyArray<string> => [
  'config',
  '-z',
  '--get-regexp',
  `^remote\\.${remote.replaceAll('.', '\\.')}\\.(${kept.join('|')})$`,
]

type Setting = readonly [key: string, value: string]

const settingsIn = (printed: string): ReadonlyArray<Setting> =>
  printed
    .split('\0')
    .filter(one => one.includes('\n'))
    .map(one => {
      const end = one.indexOf('\n')
      const key = one.slice(0, end)
      return [`remote.${transientRemote}.${key.slice(key.lastIndexOf('.') + 1)}`, one.slice(end + 1)]
    })

/**
 * Answers git's request for a name and a password from the environment, so that the setting contains no
 * secret.
 */
const helper =
  '!f() { printf "username=%s\\npassword=%s\\n" "$KRONIKA_SYNC_USER" "$KRONIKA_SYNC_PASSWORD"; }; f'

interface Access {
  readonly address: string
  readonly settings: ReadonlyArray<Setting>
  readonly secrets: Readonly<Record<string, string>>
}

/**
 * Refuses redirects of http, which would lead off this machine. The whole address wins over a setting of the
 * checkout for a part of it.
 */
const open = (address: string): Access => {
  const settings: ReadonlyArray<Setting> = /^http:/i.test(address)
    ? [[`http.${address}.followRedirects`, 'false']]
    : []
  return { address, settings, secrets: {} }
}

/** Separates the name and password from an https URL: git would show them on a command line. */
const accessOf = (address: string): Access => {
  if (!/^https:\/\//i.test(address) || !URL.canParse(address)) return open(address)
  const url = new URL(address)
  const [user, password] = [url.username, url.password].map(decodeURIComponent)
  if (user === undefined || password === undefined || password === '') return open(address)
  url.username = ''
  url.password = ''
  return {
    address: url.href,
    settings: [[`credential.${url.origin}.helper`, helper]],
    secrets: { KRONIKA_SYNC_USER: user, KRONIKA_SYNC_PASSWORD: password },
  }
}

/** The environment that defines `transientRemote` with this URL and the settings that git printed. */
export const transientEnvironment = (address: string, printed: string): Record<string, string> => {
  const { address: plain, settings, secrets } = accessOf(address)
  const url: Setting = [`remote.${transientRemote}.url`, plain]
  const all = [url, ...settings, ...settingsIn(printed)]
  const named = all.flatMap(
    ([key, value], at): ReadonlyArray<Setting> => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ],
  )
  return { GIT_CONFIG_COUNT: String(all.length), ...Object.fromEntries(named), ...secrets }
}
