import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createDogear } from '../../sdk/index.ts'
import '../demo.css'
import './branches.css'
import { BranchesPage } from './BranchesPage.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('branches.html must hold an element with the id "root"')
createRoot(root).render(
  <StrictMode>
    <BranchesPage dogear={createDogear()} />
  </StrictMode>,
)
