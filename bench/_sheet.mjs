import { chromium } from 'playwright-core';
import { readdirSync, readFileSync } from 'node:fs';
const dir=process.argv[2], re=new RegExp(process.argv[3]), w=Number(process.argv[4]), cols=Number(process.argv[5]), out=process.argv[6];
const names=readdirSync(dir).filter(n=>n.endsWith('.png')&&re.test(n));
const html='<body style="margin:8px;font:12px sans-serif;display:grid;grid-template-columns:repeat('+cols+','+w+'px);gap:8px">'+names.map(n=>`<figure style="margin:0">${n}<br><img width=${w} src="data:image/png;base64,${readFileSync(dir+'/'+n).toString('base64')}" style="border:1px solid #999"></figure>`).join('')+'</body>';
const b=await chromium.launch({executablePath:'/usr/bin/chromium',args:['--no-sandbox']});
const p=await b.newPage({viewport:{width:(w+8)*cols+20,height:800}});
await p.setContent(html); await p.waitForTimeout(500); await p.screenshot({path:out,fullPage:true}); console.log(names.length); await b.close();
