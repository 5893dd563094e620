import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createDogear } from '../sdk/index.ts'
import { App } from './App.tsx'
import { policyOf, startForm } from './controls/policy-form.ts'
import './demo.css'
import { branchIdOf } from './player/branch-id.ts'
import { createPlayer } from './player/player.ts'
import { sleep } from './player/sleep.ts'
import { remembered } from './remembered.ts'
import { sampleTitle, sampleTranscript } from './sample/sample.ts'

interface LastOpened {
  readonly branchId: string
  readonly title: string
}

function isLastOpened(value: unknown): value is LastOpened {
  return (
    typeof value === 'object' &&
    value !== null &&
    'branchId' in value &&
    typeof value.branchId === 'string' &&
    'title' in value &&
    typeof value.title === 'string'
  )
}

const policy = policyOf(startForm)
const lastOpened = remembered('dogear-demo-last', isLastOpened)
const dogear = createDogear({ policy })
const player = createPlayer({ dogear, policy, onOpen: lastOpened.write, sleep })
const sample = { title: sampleTitle, text: sampleTranscript() }
const sampleId = branchIdOf(sample.text)
const openSample = () => void player.openText(sample.title, sample.text)

async function openLast(): Promise<void> {
  const last = lastOpened.read()
  if (last && last.branchId !== sampleId && (await player.reopen(last.branchId, last.title))) return
  openSample()
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html must hold an element with the id "root"')
createRoot(root).render(
  <StrictMode>
    <App
      dogear={dogear}
      player={player}
      sample={{ title: sample.title, branchId: sampleId }}
      onOpenSample={openSample}
    />
  </StrictMode>,
)

void openLast()
