// The page `/storyboard` of the development server, and the folder that `npm run storyboard` makes. It needs no network.

import data from 'virtual:storyboard'
import { createRoot } from 'react-dom/client'
import { Page } from './Page.tsx'
import './storyboard.css'

const root = document.getElementById('storyboard')
if (root) createRoot(root).render(<Page data={data} />)
