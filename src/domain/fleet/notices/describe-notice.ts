import type { TownNotice } from './watch-towns.js'

const roleNames: Readonly<Record<string, string>> = {
  primary: 'główny',
  'stepping-down': 'ustępujący',
  replica: 'zapasowy',
  '': 'samodzielny',
}

const nameRole = (role: string): string => roleNames[role] ?? role

const describeChange = (notice: TownNotice): string => {
  switch (notice.kind) {
    case 'dark':
      return `Host ${notice.town} nie odpowiada.`
    case 'back':
      return `Host ${notice.town} znów odpowiada.`
    case 'role':
      return `Host ${notice.town} zmienił rolę: ${nameRole(notice.before)} → ${nameRole(notice.role)}.`
  }
}

/** The text of a notice in Polish; with the number of changes where there were several. */
export const describeTownNotice = (notice: TownNotice): string =>
  notice.changes > 1
    ? `${describeChange(notice)} Zmiany od poprzedniej wiadomości: ${notice.changes}.`
    : describeChange(notice)

/** A takeover that has ended; `failure` is null where the town took the role over. */
export interface EndedTakeover {
  readonly town: string
  readonly apex: string
  readonly term: number
  readonly failure: string | null
}

/** The text of the end of a takeover in Polish. */
export const describeTakeoverEnd = ({ town, apex, failure }: EndedTakeover): string =>
  failure === null
    ? `Host ${town} został głównym hostem. Poprzednio był nim host ${apex}.`
    : `Host ${town} nie został głównym hostem. Powód: \`${failure}\`.`
