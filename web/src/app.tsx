// SPDX-License-Identifier: Apache-2.0
import './style/base.css';
import './style/shell.css';
import './style/list.css';
import './style/view.css';
import './style/screens.css';
import { render } from 'preact';
import { applyTheme } from './parts/theme_switch';
import { App } from './view/app';

applyTheme();
render(<App />, document.getElementById('app')!);
