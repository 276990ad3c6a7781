import { describePage } from './describe-page.js'

describePage('docs/howto/operate/send-messages.md')
