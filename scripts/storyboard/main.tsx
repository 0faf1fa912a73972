// The page `/storyboard` of the development server, also built by `npm run storyboard`. It needs no network.

import data from 'virtual:storyboard'
import { createRoot } from 'react-dom/client'
import { ASK_FOR_SCENES, describeBuild } from './compare.ts'
import { StoryboardPage } from './StoryboardPage.tsx'
import './storyboard.css'

// Another storyboard that compares its scenes with these asks for them in a hidden frame.
if (location.hash === ASK_FOR_SCENES) parent.postMessage(describeBuild(data), '*')
const root = document.getElementById('storyboard')
if (root && location.hash !== ASK_FOR_SCENES) createRoot(root).render(<StoryboardPage data={data} />)
