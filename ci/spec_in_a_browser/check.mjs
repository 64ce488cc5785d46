// Reads the site and the report in Chromium as a reader does. usage: check.mjs FOLDER CHROMIUM
// FOLDER holds plain/ (a site), site/ (a site with the results of a run that fails) and report.html (of that run).
import { createRequire } from "node:module";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [folder, executablePath] = process.argv.slice(2);
const require = createRequire(join(folder, "node_modules", "here.js"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const problems = [];
const claim = (holds, message) => {
  if (!holds) problems.push(message);
};
const address = (...parts) => pathToFileURL(join(folder, ...parts)).href;
const pages = (site) =>
  readdirSync(join(folder, site), { recursive: true })
    .filter((name) => name.endsWith(".html"))
    .map((name) => join(site, name))
    .sort();

const browser = await chromium.launch({
  executablePath,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

// A tab that reports every console error and every request that is not for a file of the folder.
const open = async (options = {}) => {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`${page.url()}: console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`${page.url()}: ${error}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(address())) problems.push(`${page.url()}: asks for ${request.url()}`);
  });
  // A page that is left behind lets go of what it still waits for.
  page.on("requestfailed", (request) => {
    const { errorText } = request.failure();
    if (errorText !== "net::ERR_ABORTED") problems.push(`${page.url()}: cannot get ${request.url()}: ${errorText}`);
  });
  return page;
};
const step = async (name, work) => {
  const started = Date.now();
  const before = problems.length;
  try {
    await work();
  } catch (error) {
    problems.push(`${name}: ${error}`);
  }
  console.log(`${problems.length === before ? "ok" : "WRONG"}  ${name} (${Date.now() - started} ms)`);
};

const page = await open();
// With a run, what it changes: the pages of core, whose promises the wrong server breaks, and those about everything.
const told = pages("site").filter((name) => !/^site.(features.(?!core)|faults|figures|tools)/.test(name));
const all = [...pages("plain"), ...told, "report.html"];
const anchors = new Map();
const links = [];

await step(`${all.length} pages open, and none runs a word of a server`, async () => {
  const left = [...all];
  const visit = async (tab) => {
    for (let name = left.pop(); name; name = left.pop()) await look(tab, name);
  };
  const look = async (tab, name) => {
    await tab.goto(address(name));
    const found = await tab.evaluate(() => ({
      ids: [...document.querySelectorAll("[id]")].map((element) => element.id),
      links: [...document.querySelectorAll("a[href]")].map((link) => link.href),
      pwned: self.pwned,
      handlers: document.querySelectorAll("[onclick],[onerror],[onload],[style]").length,
      headings: document.querySelectorAll("h1").length,
    }));
    anchors.set(name, new Set(found.ids));
    links.push(...new Set(found.links.map((link) => `${name} ${link}`)));
    claim(new Set(found.ids).size === found.ids.length, `${name}: an id stands twice`);
    claim(found.pwned === undefined, `${name}: a word of the server ran as a script`);
    claim(found.handlers === 0, `${name}: an inline handler or style`);
    claim(found.headings === 1, `${name}: ${found.headings} first headings`);
  };
  const tabs = await Promise.all([1, 2, 3].map(() => open()));
  await Promise.all(tabs.map(visit));
  await Promise.all(tabs.map((tab) => tab.context().close()));
});

await step("every link within the site leads to a page and an anchor that are there", () => {
  for (const link of links) {
    const [name, target] = link.split(" ");
    const url = URL.canParse(target) ? new URL(target) : { protocol: "none" };
    if (url.protocol !== "file:") {
      claim(url.protocol === "https:" || url.protocol === "http:", `${name}: a link to ${target}`);
      continue;
    }
    const file = relative(folder, fileURLToPath(new URL(url.pathname, url)));
    const anchor = decodeURIComponent(url.hash.slice(1));
    if (!anchors.has(file)) claim(existsSync(join(folder, file)), `${name}: ${file} is not there`);
    else claim(!anchor || anchors.get(file).has(anchor), `${name}: ${file} has no ${anchor}`);
  }
  claim(links.length > 5000, `only ${links.length} links were looked at`);
});

const search = async (text) => {
  await page.keyboard.press("/");
  await page.keyboard.type(text);
  await page.locator("#found", { hasText: /found/ }).waitFor();
  return page.locator("#results a").allTextContents();
};
await step("search finds a requirement by its id and by its words, with the keyboard alone", async () => {
  await page.goto(address("plain", "index.html"));
  const byId = await search("aud-001");
  claim(byId[0]?.includes("AUD-001"), `aud-001 finds first: ${byId[0]}`);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(/requirements\/aud\.html#AUD-001$/);
  const statement = (await page.locator("#AUD-001 .statement").textContent()).toLowerCase();
  await page.goto(address("plain", "features", "core", "audience.html"));
  const words = statement.split(/\W+/).filter((word) => word.length > 3).slice(0, 4).join(" ");
  const byWord = await search(words);
  claim(byWord.some((hit) => hit.includes("AUD-001")), `"${words}" does not find AUD-001`);
  await page.keyboard.press("Escape");
  claim(await page.locator("#results").isHidden(), "Escape does not close the results");
  await page.goto(address("plain", "index.html"));
  claim((await search("zzzz no such thing"))?.length === 0, "nonsense finds something");
});

await step("in the site a failure leads to its requirement and back", async () => {
  await page.goto(address("site", "index.html"));
  await page.locator(".banner a").click();
  const first = page.locator(".broken").first();
  const id = await first.locator("h3 a.self").textContent();
  await first.locator("h3 a.self").click();
  await page.waitForURL(new RegExp(`#${id}$`));
  claim(await page.locator(`[id="${id}"] .failure`).count() > 0, `${id} does not show its failure`);
  await page.locator(`[id="${id}"] .back a`).click();
  await page.waitForURL(new RegExp(`failures\\.html#failure-${id}$`));
  const scenario = page.locator(".broken .what a").first();
  await scenario.click();
  claim(await page.locator(".scenario .failure").count() > 0, "the scenario does not show its failure");
  await page.locator(".scenario .failure .chip").first().click();
  claim(/requirements\/.*#/.test(page.url()), "the scenario does not lead to its requirement");
});

await step("in the report a failure leads to its line and back, and the filter narrows the lines", async () => {
  await page.goto(address("report.html"));
  claim(await page.locator(".verdict .word").textContent() === "Violated", "the report does not begin with its verdict");
  const id = await page.locator(".broken h3 a.self").first().textContent();
  await page.locator(".broken h3 a.self").first().click();
  await page.waitForURL(new RegExp(`#${id}$`));
  await page.locator(`[id="${id}"] a.chip`).click();
  await page.waitForURL(new RegExp(`#failure-${id}$`));
  await page.locator("#filter").fill(id);
  claim(await page.locator(`[id="${id}"]`).isVisible(), "the filter hides what it should show");
  const shown = await page.locator(".lines > ul > li:visible").count();
  claim(shown >= 1 && shown < 10, `the filter leaves ${shown} lines`);
});

const looked = ["plain/index.html", "plain/features/worthbase/roles.html", "plain/requirements/aud.html",
  "plain/access.html", "plain/tools.html", "plain/tools/finanpy/registrar_transacao.html", "plain/figures/lots.html",
  "plain/faults/ledger-lots.html", "plain/untested.html", "site/failures.html",
  "site/requirements/auth-challenge.html", "site/features/core/challenge.html", "report.html"];
for (const colorScheme of ["light", "dark"]) {
  await step(`axe-core finds nothing serious in ${colorScheme}`, async () => {
    // The policy of the page lets no foreign script in, so it is set aside for this one.
    const tab = await open({ colorScheme, bypassCSP: true });
    for (const name of looked) {
      await tab.goto(address(name));
      await tab.evaluate(axe);
      const { violations } = await tab.evaluate(() => axe.run({ resultTypes: ["violations"], preload: false }));
      for (const { id, impact, help, nodes } of violations) {
        if (impact !== "serious" && impact !== "critical") continue;
        problems.push(`${name} (${colorScheme}): ${impact}: ${id}: ${help}\n      ${nodes.slice(0, 3).map((node) => node.html.slice(0, 200)).join("\n      ")}`);
      }
    }
    await tab.context().close();
  });
}

await step("nothing is wider than a phone", async () => {
  const tab = await open({ viewport: { width: 360, height: 740 } });
  for (const name of looked) {
    await tab.goto(address(name));
    const width = await tab.evaluate(() => document.documentElement.scrollWidth);
    claim(width <= 360, `${name}: ${width} pixels wide on a phone of 360`);
  }
});

await browser.close();
if (problems.length > 0) {
  console.error(`\n${problems.length} problems:\n  ${problems.slice(0, 40).join("\n  ")}`);
  process.exit(1);
}
console.log("the specification reads well in a browser");
