import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createDogear } from '../../sdk/index.ts'
import { policyOf, startForm } from '../controls/policy-form.ts'
import '../demo.css'
import './chat.css'
import { ChatPage } from './ChatPage.tsx'
import { createChat } from './chat.ts'

const policy = policyOf({ ...startForm, ceiling: 12_000 })
const dogear = createDogear({ policy })

const root = document.getElementById('root')
if (!root) throw new Error('index.html must hold an element with the id "root"')
createRoot(root).render(
  <StrictMode>
    <ChatPage dogear={dogear} chat={createChat({ dogear, policy })} />
  </StrictMode>,
)
