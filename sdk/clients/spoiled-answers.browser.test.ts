import { inject } from 'vitest'
import { describeSpoiledAnswers } from './spoiled-answers.ts'

describeSpoiledAnswers({ url: () => inject('rehearsalUrl') })
