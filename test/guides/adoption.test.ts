import { describeGuide } from './describe-guide.js'

describeGuide('adoption')
