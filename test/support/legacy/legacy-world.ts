import type { RepoPath } from '#protocol/atoms.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { sourceFile } from '#test/support/world.js'

/** Files of a repository by path. */
export type WorldTexts = Readonly<Record<string, string>>

export const filesOf = (texts: WorldTexts): ReadonlyMap<RepoPath, SourceFile> =>
  new Map(
    Object.entries(texts).map(([path, text]) => {
      const file = sourceFile(path, text)
      return [file.path, file]
    }),
  )

const roster = `# Gracze

Spis prowadzi koordynatorka.

## Lista

### Wierzba

- ID Krainy: 4101
- PRFWebhook: https://chat.example/api/webhooks/77/tajny-klucz-wierzby
- Tematy zastrzeżone: pająki, głód
- Gra od pierwszej edycji.
- Postaci:
    - **[Bogna Ruczaj](Postaci/Gracze/Bogna%20Ruczaj.md)**
        - Alias: Bogna, Ruczajka; Bo
        - PU: NADMIAR: 0,5, STARTOWE: 20, SUMA: 31,25, ZDOBYTE: 11,25
        - Ma kuzyna w Dolnym Młynie.
    - [Cichy Jar](Postaci/Gracze/Cichy%20Jar.md)
        - PU: NADMIAR: BRAK, STARTOWE: 18, SUMA: 22,5, ZDOBYTE: BRAK

### Olcha

- ID Krainy: 4102
- PRFWebhook: BRAK
- Tematy zastrzeżone: brak
- Postaci:
    - **[Mirko](Postaci/Gracze/Mirko.md)**
        - PU: NADMIAR: 0, STARTOWE: 20, SUMA: 25, ZDOBYTE: 4
    - [Dagna](Archiwum/stara-dagna.md)
    - bez odsyłacza
`

const registry = `## NPC

* Kowal Jaromir
    - @alias: Jaromir (2023-01:)
    - @lokacja: Dolny Młyn (2023-01:2023-06)
    - @lokacja: Górny Młyn (2023-04:)
    - @status: zaginiony (2024-01:)
    - @info: Kuje podkowy.
        Zna drogę przez bagna.
    - @zawód: kowal
    - Jaro
- @grupa: Cech Kowali

## Organizacja

* Cech Kowali
    - @alias:
        - Kowale (2022:)
        - Młoty

## Lokacja

* Kotlina
    - @zawiera: Dolny Młyn
    - @zawiera: Górny Młyn
    - @zawiera: Zaginiona Wieża

* Dolny Młyn
    - @typ: młyn wodny

* Górny Młyn
    - @lokacja: Wysoczyzna (2022-03:)

## Mapa

* Mapa Kotliny
    - @krainaid: 615

## Gracz

* Wierzba
    - @krainaid: 4100 (:2022-12)
    - @krainaid: 4101 (2023-01:)
    - @prfwebhook: https://chat.example/api/webhooks/78/drugi-klucz
    - @trigger: pająki
    - @trigger: utonięcie

## Postać

* Bogna Ruczaj
    - @należy_do: Wierzba
    - @pu_suma: 33.75
    - @info: Nosi zielony płaszcz.

* Mirko
    - @należy_do: Wierzba (2024-02:)
    - @pu_nadmiar: BRAK

* Sierota
    - @pu_startowe: 20

## Przedmiot

* Miech
    - @należy_do: Kowal Jaromir (2023-02:)
    - @ilość: 3 (2023-02:)
    - @ilość: 2 (2023-09:)

## Rozmaitości

* Stara pieśń
    - @info: Śpiewana przy żniwach.
`

const character = `**Karta Postaci:** https://karty.example/bogna

**Tematy zastrzeżone:**
- Zamknięcie w ciemności, także we śnie.

**Stan:**
Zdrowa.

**Przedmioty specjalne:**
Brak.

**Reputacja:**
- Pozytywna:
- Neutralna: Kotlina
- Negatywna:

**Dodatkowe informacje:**
- Brak.

**Opisane sesje:**

[[_TOC_]]
`

const sessions = `# Sesje

### 2024-03-02, Noc na moczarach, Wierzba

- Lokalizacje:
    - Dolny Młyn
    - Kotlina -> Górny Młyn
    - na zewnątrz
- PU:
    - Bogna Ruczaj: 0,5
    - Mirko: 0,3

Kowal Jaromir szedł pierwszy.

### 2024-03-20, Powrót z moczarów, Olcha

- Lokalizacje:
    - Wieża Której Nie Ma
- PU:
    - Nieznajomy: 0,2
- Zmiany:
    - Miech
        - @ilość: +1
`

const history = `# Historia PU

## Historia

- 2024-04-03 20:15 (UTC+02:00):
    - ### 2024-03-02, Noc na moczarach, Wierzba
    - ### 2024-03-20,  powrót z moczarów, Olcha
    - ### 2021-01-01, Sesja której już nie ma, Olcha
`

/** A small legacy repository with an example of everything that adoption handles. All names are invented. */
export const legacyWorld: WorldTexts = {
  '.robot-data.psd1': "@{\n    PlayersFile = 'Gracze.md'\n    Motyw = 'zielony'\n}\n",
  'Gracze.md': roster,
  'entities.md': registry,
  'kraina-100-ent.md': '## Postać\n\n* Bogna Ruczaj\n    - @pu_suma: 34\n',
  '.robot.new/private/entities.md': '## NPC\n\n* Zielarka Wita\n    - @lokacja: Kotlina/Dolny Młyn\n',
  'Postaci/Gracze/Bogna Ruczaj.md': character,
  'Archiwum/stara-dagna.md': 'Dagna odeszła na północ.\n',
  'Wątki/moczary.md': sessions,
  '.robot/res/pu-sessions.md': history,
  '.robot/res/location-exclusions.txt': '# reviewed\nna zewnątrz\n',
}
