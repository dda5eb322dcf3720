// SPDX-License-Identifier: Apache-2.0
// The frame around the screens: navigation, state of the connection, help, login.
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, type ApiError } from '../api/client';
import { ThemeSwitch } from '../parts/theme_switch';
import { Failure, Loading } from '../parts/states';
import { count, line } from '../parts/format';
import { AnswersScreen } from '../screens/answers';
import { AnswerScreen } from '../screens/answer';
import { ArchiveScreen } from '../screens/archive';
import { CheckScreen } from '../screens/check';
import { ToolsScreen } from '../screens/tools';
import { UpstreamsScreen } from '../screens/upstreams';
import { answers } from '../state/answers';
import { globalKeys, helpIsOpen } from '../state/keys';
import { asApiError } from '../state/load';
import { connect, disconnect, live } from '../state/live';
import { followLinks, href, SCREENS, useRoute, type Route } from '../state/route';
import { session } from '../state/session';
import { useSignal } from '../state/signal';
import { Help } from './help';
import { LoginForm } from './login';

const ICONS: Record<string, string> = {
  answers: 'M3 5h10M3 9h10M3 13h6',
  tools: 'M3 3h5v5H3zM10 3h3v5h-3zM3 10h5v3H3zM10 10h3v3h-3z',
  archive: 'M3 4h10v3H3zM4 7v6h8V7M7 9.5h2',
  upstreams: 'M8 3v4M8 7l-4 3v3M8 7l4 3v3M3 13h2M11 13h2M7 3h2',
  check: 'M3 8.5l3 3 7-7',
};

function Screen({ route }: { route: Route }) {
  switch (route.screen) {
    case 'answers': return route.subject ? <AnswerScreen key="answer" id={Number(route.subject)} query={route.query} /> : <AnswersScreen query={route.query} />;
    case 'tools': return <ToolsScreen query={route.query} />;
    case 'archive': return <ArchiveScreen handle={route.subject} query={route.query} />;
    case 'upstreams': return <UpstreamsScreen />;
    case 'check': return <CheckScreen query={route.query} />;
  }
}

function Connection() {
  const now = useSignal(live);
  const words = now.connected ? 'Live' : 'Not connected';
  // The number changes all the time, so it is no part of what a screen reader is told.
  return (
    <p class={`connection ${now.connected ? 'is-live' : 'is-lost'}`}>
      <span class="pulse" aria-hidden="true" /><span class="connection-words" role="status">{words}</span>
      {now.connected && now.open_calls > 0 ? <span class="quiet number connection-words">{count(now.open_calls)} open</span> : null}
    </p>
  );
}

function Frame({ route }: { route: Route }) {
  const login = useSignal(session);
  useEffect(() => {
    connect();
    return () => {
      disconnect();
      answers.reset();
    };
  }, []);
  useEffect(() => {
    const name = SCREENS.find((each) => each.name === route.screen)!.label;
    document.title = `${route.subject ? `${line(route.subject, 40)} · ` : ''}${name} · Enfold`;
  }, [route]);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const shown = useRef(route);
  useEffect(() => {
    const is_new = shown.current.screen !== route.screen || shown.current.subject !== route.subject;
    shown.current = route;
    // The link that was followed is gone, and a screen reader shall begin at the new content.
    if (is_new && (document.activeElement === document.body || document.activeElement === null)) document.getElementById('content')?.focus();
  }, [route]);
  const principal = login.state === 'in' ? login.session.principal : null;
  return (
    <div class="frame">
      <a class="skip" href="#content">Skip to the content</a>
      <header class="bar-top">
        <a class="brand" href={href('answers')}><svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" /><path d="M8 9h16M8 14h16" /><path class="warm" d="M8 19h9M8 24h5" /></svg><span>Enfold</span></a>
        <nav aria-label="Screens">
          {SCREENS.map(({ name, label, key }) => (
            <a key={name} href={href(name)} aria-current={route.screen === name ? 'page' : undefined} title={`${label} (g ${key})`}>
              <svg viewBox="0 0 16 16" aria-hidden="true"><path d={ICONS[name]} /></svg><span>{label}</span>
            </a>))}
        </nav>
        <div class="bar-end">
          <Connection />
          {principal ? <span class="quiet principal">{line(principal, 30)}</span> : null}
          <ThemeSwitch />
          <button type="button" class="icon-button" aria-label="Keys and help" title="Keys and help (?)" onClick={() => helpIsOpen.set(true)}><span aria-hidden="true">?</span></button>
          {login.state === 'in' && login.session.log_out
            ? <button type="button" class="icon-button" aria-label="Log out" title="Log out" onClick={() => { void api.logout().then(() => session.lost(), (cause: unknown) => setFailure(asApiError(cause))); }}><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M9 3H4v10h5M7 8h7M11.5 5.5L14 8l-2.500 2.500" /></svg></button> : null}
        </div>
      </header>
      <main id="content" tabIndex={-1}>{failure ? <Failure error={failure} /> : null}<Screen route={route} /></main>
      <Help />
    </div>
  );
}

export function App() {
  const route = useRoute();
  const login = useSignal(session);
  useEffect(() => {
    void session.load();
    addEventListener('keydown', globalKeys, true);
    document.addEventListener('click', followLinks);
    return () => {
      removeEventListener('keydown', globalKeys, true);
      document.removeEventListener('click', followLinks);
    };
  }, []);
  switch (login.state) {
    case 'loading': return <Loading what="the dashboard" />;
    case 'out': return <LoginForm />;
    case 'error': return <main class="alone"><h1>Enfold</h1><Failure error={login.error} again={() => { void session.load(); }} /></main>;
    case 'in': return <Frame route={route} />;
  }
}
