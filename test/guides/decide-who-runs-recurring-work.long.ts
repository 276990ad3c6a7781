import { describePage } from './describe-page.js'

describePage('docs/howto/operate/decide-who-runs-recurring-work.md')
