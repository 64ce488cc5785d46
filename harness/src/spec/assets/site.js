// What the pages do beside being read: search, light and dark, tables that scroll, print. All of it works from a folder:
// nothing is fetched, the search index is a script of the site.
(() => {
  "use strict";
  const root = document.body.dataset.root;
  const shown = 30;

  // What needs this script stands in it: without scripts no page shows a search that does nothing.
  document.querySelector(".bar").insertAdjacentHTML("beforeend", `
    <div class="tools" role="search">
      <label class="unseen" for="query">Search requirements, features, tools and faults</label>
      <input id="query" type="search" placeholder="Search" autocomplete="off" spellcheck="false" aria-describedby="query-help">
      <kbd aria-hidden="true">/</kbd>
      <span class="unseen" id="query-help">Type an id or words. Arrow keys move through the results, Escape closes them.</span>
      <button type="button" id="theme" aria-label="Switch between light and dark">◐</button>
    </div>`);
  document.querySelector(".bar").insertAdjacentHTML("afterend",
    '<div id="results" class="results" hidden><p id="found" role="status"></p><ol></ol></div>');
  const query = document.getElementById("query");
  const panel = document.getElementById("results");
  const list = panel.querySelector("ol");
  const found = document.getElementById("found");

  // Light and dark: as the system has it, until somebody chooses.
  const remembered = (value) => {
    try {
      if (value) localStorage.setItem("proofmark-theme", value);
      return localStorage.getItem("proofmark-theme");
    } catch {
      return value;
    }
  };
  const dress = (theme) => theme && document.documentElement.setAttribute("data-theme", theme);
  dress(remembered());
  document.getElementById("theme").addEventListener("click", () => {
    const chosen = document.documentElement.getAttribute("data-theme");
    const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    dress(remembered(dark ? "light" : "dark") ?? (dark ? "light" : "dark"));
  });

  // An anchor is a text, or a number for the rule that makes it: the id, the title, a rule with the title.
  const slug = (title) => title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  const hash = (anchor, id, title) =>
    anchor === undefined ? "" : `#${[id, slug(title), `rule-${slug(title)}`][anchor] ?? anchor}`;

  // The index is loaded when somebody begins to search.
  let index;
  const load = () => {
    index ??= new Promise((done) => {
      const script = document.createElement("script");
      script.src = `${root}assets/index.js`;
      script.onload = () => {
        const { pages, entries } = self.proofmarkIndex;
        done(entries.map(([kind, id, title, page, anchor]) => ({
          kind, id, title, address: pages[page] + hash(anchor, id, title),
          low: `${id} ${title}`.toLowerCase(), first: title.toLowerCase(),
        })));
      };
      script.onerror = () => done([]);
      document.head.append(script);
    });
    return index;
  };

  // Every word must be there. An id comes first, then titles that begin with the words, then requirements.
  const order = ["requirement", "feature", "tool", "rule", "scenario", "figure", "fault"];
  const score = (entry, text, words) => {
    if (!words.every((word) => entry.low.includes(word))) return 0;
    const id = entry.kind === "scenario" ? "" : entry.id.toLowerCase();
    let points = 100 - order.indexOf(entry.kind);
    if (id === text) points += 1000;
    else if (id && id.startsWith(text)) points += 500;
    if (entry.first.startsWith(text)) points += 200;
    else if (entry.first.includes(text)) points += 100;
    return points;
  };
  const search = async () => {
    const text = query.value.trim().toLowerCase();
    if (!text) return close();
    const entries = await load();
    if (query.value.trim().toLowerCase() !== text) return;
    const words = text.split(/\s+/);
    const hits = entries
      .map((entry) => ({ entry, points: score(entry, text, words) }))
      .filter((hit) => hit.points > 0)
      .sort((left, right) => right.points - left.points);
    list.replaceChildren(...hits.slice(0, shown).map(({ entry }) => row(entry)));
    found.textContent =
      hits.length === 0 ? "Nothing found."
      : hits.length > shown ? `${hits.length} found; the first ${shown}:`
      : `${hits.length} found:`;
    panel.hidden = false;
  };
  const row = (entry) => {
    const link = document.createElement("a");
    link.href = root + entry.address;
    const kind = document.createElement("span");
    kind.className = "kind";
    kind.textContent = entry.kind;
    link.append(kind);
    if (entry.id) {
      const id = document.createElement("code");
      id.textContent = entry.id;
      link.append(" ", id);
    }
    link.append(" ", entry.title);
    const item = document.createElement("li");
    item.append(link);
    return item;
  };
  const close = () => {
    panel.hidden = true;
    found.textContent = "";
    list.replaceChildren();
  };
  query.addEventListener("focus", load);
  query.addEventListener("input", search);
  query.addEventListener("keydown", (event) => {
    if (event.key === "Enter") list.querySelector("a")?.click();
  });
  list.addEventListener("click", (event) => {
    if (event.target.closest("a")) setTimeout(close);
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLInputElement;
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      query.focus();
    } else if (event.key === "Escape" && !panel.hidden) {
      close();
      query.focus();
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !panel.hidden) {
      const links = [...list.querySelectorAll("a")];
      const here = links.indexOf(document.activeElement);
      if (here < 0 && document.activeElement !== query) return;
      event.preventDefault();
      const next = here + (event.key === "ArrowDown" ? 1 : -1);
      (links[next] ?? query).focus();
    }
  });
  document.addEventListener("click", (event) => {
    if (!panel.hidden && !event.target.closest("#results, .tools")) close();
  });

  // The link to a part of the page stands behind its heading.
  for (const heading of document.querySelectorAll("[id] > h2, [id] > h3, h2[id]")) {
    const id = heading.id || heading.parentElement.id;
    const link = document.createElement("a");
    link.className = "here";
    link.href = `#${id}`;
    link.textContent = "#";
    link.setAttribute("aria-label", `Link to ${heading.textContent.trim()}`);
    heading.append(" ", link);
  }

  // A table that is wider than the page can be reached and moved by keyboard.
  const scrollable = () => {
    for (const box of document.querySelectorAll(".scroll")) {
      if (box.scrollWidth <= box.clientWidth) continue;
      box.tabIndex = 0;
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", "A wide table");
    }
  };
  scrollable();
  addEventListener("resize", scrollable);

  // Paper has no summary to open.
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
})();
