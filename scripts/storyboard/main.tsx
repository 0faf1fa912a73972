// The page `/storyboard` of the development server, also built by `npm run storyboard`. It needs no network.

import data from 'virtual:storyboard'
import { createRoot } from 'react-dom/client'
import { StoryboardPage } from './StoryboardPage.tsx'
import './storyboard.css'

const root = document.getElementById('storyboard')
if (root) createRoot(root).render(<StoryboardPage data={data} />)
